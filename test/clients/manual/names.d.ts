/** Names of the application that the code of the manual uses. */
declare const session: { readonly token: string };
declare const token: string;
declare const form: HTMLFormElement;
declare const exports: Record<string, unknown>;
declare function showCount(count: number): void;
declare function show(notification: unknown): void;
declare function listAgain(): Promise<void>;

interface ParentNode {
  querySelector(name: 'dbr-inbox'): HTMLElement & { token: string | (() => Promise<string>) };
}
