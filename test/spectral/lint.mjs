/** Runs Spectral, whose packages `make install-spectral` puts beside this file. */
import spectralCore from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';

export async function lint(text) {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [[oas, 'recommended']] });
  return spectral.run(text);
}
