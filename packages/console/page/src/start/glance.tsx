/** The health of the service in a few figures. */
import type { JSX } from 'preact';
import { loadSamples } from '../api.js';
import { useLoaded } from '../parts.js';
import { glanceOf } from '../series.js';

export function Glance(): JSX.Element {
  const loaded = useLoaded((signal) => loadSamples(signal, { quiet: true }), []);
  const figures = loaded.state === 'loaded' ? glanceOf(loaded.value) : [];
  return (
    <section class="card" aria-labelledby="glance">
      <h2 id="glance">Health</h2>
      {loaded.state === 'failed' && <p class="quiet">It could not be read.</p>}
      <dl class="figures">
        {figures.map(({ label, text, isBad }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd class={isBad ? 'bad' : ''}>{text}</dd>
          </div>
        ))}
      </dl>
      <a href="#/health">The last hour</a>
    </section>
  );
}
