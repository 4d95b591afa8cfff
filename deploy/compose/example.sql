-- One table for the data API, which anonymous requests may read: GET http://127.0.0.1:3000/todos
create schema api;
create table api.todos (
  id   integer generated always as identity primary key,
  task text    not null,
  done boolean not null default false
);
insert into api.todos (task, done) values ('Start dbr', true), ('Replace this table by yours', false);
grant usage on schema api to anon;
grant select on api.todos to anon;
