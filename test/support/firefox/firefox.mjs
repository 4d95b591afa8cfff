/** The installed Firefox, driven by WebDriver BiDi; `make install-firefox` puts the package beside this file. */
import { launch } from 'puppeteer-core';

export const launchFirefox = (executablePath) =>
  launch({ browser: 'firefox', executablePath, headless: true, timeout: 120_000, protocolTimeout: 120_000 });
