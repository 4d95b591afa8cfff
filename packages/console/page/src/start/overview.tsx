/** What there is: tables with their sizes, findings, health, and what to do in an empty database. */
import type { JSX } from 'preact';
import type { Catalogue, Overview } from '../../../server/answers.js';
import { ask, type Information } from '../api.js';
import { Icon } from '../icon.js';
import { useLoaded } from '../parts.js';
import { Findings } from './findings.js';
import { Glance } from './glance.js';
import { NextSteps } from './next-steps.js';
import { Relations } from './relations.js';

interface OverviewProps {
  readonly catalogue: Catalogue;
  readonly information: Information;
}

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

export function OverviewScreen({ catalogue, information }: OverviewProps): JSX.Element {
  const hasData = information.areas.includes('data-api');
  const { role, relations, functions } = catalogue;
  const numbers = useLoaded(
    (signal) =>
      hasData ? ask<Overview>({ kind: 'overview' }, { signal, quiet: true }) : Promise.resolve(null),
    [catalogue],
  );
  return (
    <div class="screen" tabIndex={0} role="region" aria-label="Overview">
      <header class="screen-head">
        <h1>Overview</h1>
        {hasData && (
          <p>
            The role <b>{role}</b> may use {counted(relations.length, 'table or view', 'tables and views')}{' '}
            and {counted(functions.length, 'function', 'functions')}.
          </p>
        )}
        <p class="links">
          {information.reference !== null && (
            <a href={information.reference} target="_blank" rel="noreferrer">
              Reference of the API <Icon name="external" label="in another tab" />
            </a>
          )}
          <a href="manual/README.md" target="_blank" rel="noreferrer">
            Manual <Icon name="external" label="in another tab" />
          </a>
        </p>
      </header>
      <div class="cards">
        <Glance />
        {hasData && <Findings />}
      </div>
      {hasData && relations.length === 0 && functions.length === 0 && <NextSteps catalogue={catalogue} />}
      <Relations
        catalogue={catalogue}
        numbers={numbers.state === 'loaded' ? (numbers.value?.relations ?? []) : []}
      />
    </div>
  );
}
