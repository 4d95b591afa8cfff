import 'dbr-inbox';
import { token } from './token.js';

const inbox = document.createElement('dbr-inbox');
inbox.toggleAttribute('embedded', true);
inbox.token = token;
document.querySelector('#app').append(inbox);
