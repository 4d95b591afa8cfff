import { calls } from './calls';

console.log(JSON.stringify(await calls(process.argv[2] ?? '')));
process.exit();
