/** The statements of the servers that are written by hand. pg sends them as they are: PostgreSQL parses and plans each time. */
export const SQL = {
  one: 'select id, title from films where id = $1',
  page: 'select id, title, year from films where id > $1 order by id limit $2',
  long: 'select id, title, year, director_id, synopsis from films where id > $1 order by id limit $2',
  withRoles: `
    select f.id, f.title, json_build_object('name', d.name) as directors,
           coalesce((select json_agg(json_build_object('name', r.name)) from roles r where r.film_id = f.id), '[]') as roles
    from films f left join directors d on d.id = f.director_id
    where f.id > $1 order by f.id limit $2`,
  ofYear: 'select id, title from films where year = $1 order by id limit 20',
  total: 'select count(*) from films where year = $1',
  title: 'select film_title($1)',
  insert: 'insert into notes (film_id, text) values ($1, $2) returning film_id, text',
  update: 'update scores set points = $1 where id = $2',
};
