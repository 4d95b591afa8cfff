import 'dbr-inbox';
import { createApp, h } from 'vue';
import { token } from './token.js';

// Vue sets what a custom element has as a property, such as token.
createApp({ render: () => h('dbr-inbox', { embedded: '', token }) }).mount('#app');
