/**
 * Loaded before the program (`node --import`): every function of src/ reports that it was called, with its file and its name,
 * while the program has a trace open.
 */
import { register } from 'node:module';

globalThis.openTrace = null;
globalThis.traceCall = (file, name) => {
  globalThis.openTrace?.push({ file, name });
};
register(new URL('./trace-hook.mjs', import.meta.url));
