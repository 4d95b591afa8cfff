/** What tests use of puppeteer-core, whose types are there only where the package is installed. */
export interface Element {
  click(): Promise<void>;
  select(...values: string[]): Promise<string[]>;
}

export interface Page {
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  bringToFront(): Promise<void>;
  url(): string;
  /** @param script an expression */
  evaluate(script: string): Promise<unknown>;
  evaluateHandle(script: string): Promise<{ asElement(): Element | null }>;
  setViewport(size: { readonly width: number; readonly height: number }): Promise<void>;
  on(event: 'pageerror', seen: (error: Error) => void): void;
}

export interface Context {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

export interface Browser {
  createBrowserContext(): Promise<Context>;
  close(): Promise<void>;
}

/** @param executablePath of the browser */
export function launchFirefox(executablePath: string): Promise<Browser>;
