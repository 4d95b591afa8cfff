/** One entry of the menu. */
import type { JSX } from 'preact';
import { Icon } from '../icon.js';
import { Text } from '../parts.js';
import type { Entry } from './entries.js';

interface EntryLinkProps {
  readonly entry: Entry;
  readonly isCurrent: boolean;
  /** Shown where entries of several schemas stand in one list. */
  readonly schema?: string;
}

export const EntryLink = ({ entry, isCurrent, schema }: EntryLinkProps): JSX.Element => (
  <a href={entry.address} title={entry.label} {...(isCurrent ? { 'aria-current': 'page' } : {})}>
    <span class="name">
      <Text>{entry.label}</Text>
    </span>
    {schema !== undefined && (
      <small>
        <Text>{schema}</Text>
      </small>
    )}
    {entry.tag !== '' && (entry.kind !== 'function' || schema !== undefined) && <small>{entry.tag}</small>}
    {entry.rowSecurity && <Icon name="lock" label="row security" />}
  </a>
);
