/** A table of ratings that stays true, and a form whose content is written while its user types. */
import { database } from 'dbr-client/database';

/** A page asks its own server for the token of its user; here it is in the address. */
const address = new URLSearchParams(location.hash.slice(1));
const db = database(address.get('service') ?? 'http://127.0.0.1:3000', { token: address.get('token') });

const table = document.querySelector('tbody');
const form = document.querySelector('form');
const problem = document.querySelector('[role=alert]');

function show(rows) {
  table.replaceChildren(
    ...rows.map(({ user_id, country, stars, remark }) => {
      const row = document.createElement('tr');
      for (const text of [user_id, country.name, '★'.repeat(stars), remark])
        row.insertCell().textContent = text;
      return row;
    }),
  );
}

async function follow() {
  const ratings = db
    .from('ratings')
    .select('user_id,country_code,stars,remark,country:countries(name)')
    .order('country_code')
    .order('user_id');
  for await (const { rows } of ratings.live()) show(rows);
}

let isChanged = false;
let isWriting = false;

/** One request at a time, with what the form has by then. */
async function write() {
  isChanged = true;
  if (isWriting) return;
  isWriting = true;
  try {
    while (isChanged) {
      isChanged = false;
      const { country, stars, remark } = Object.fromEntries(new FormData(form));
      const row = { country_code: country, stars: Number(stars), remark };
      await db.from('ratings').insert(row, { resolution: 'merge-duplicates' }).orThrow();
    }
    problem.textContent = '';
  } catch (error) {
    problem.textContent = error.message;
  } finally {
    isWriting = false;
  }
}

form.addEventListener('input', write);
form.addEventListener('submit', (event) => event.preventDefault());
follow().catch((error) => (problem.textContent = error.message));
