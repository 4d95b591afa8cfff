/** The published OpenAPI document: its text, and an outline for the reference page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, objectOf, textOf, type JsonObject } from '../base/json.js';
import { packageRoot } from '../base/package.js';

export interface DocumentOperation {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

export interface DocumentTag {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly DocumentOperation[];
}

export interface PublishedDocument {
  readonly text: string;
  readonly title: string;
  readonly version: string;
  readonly tags: readonly DocumentTag[];
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];

/** Reads generated/openapi.json. */
export function readPublishedDocument(): PublishedDocument {
  const text = readFileSync(join(packageRoot(), 'generated', 'openapi.json'), 'utf8');
  const document = objectOf(JSON.parse(text));
  const info = objectOf(document['info']);
  return {
    text,
    title: textOf(info['title']),
    version: textOf(info['version']),
    tags: tagsOf(document),
  };
}

function tagsOf(document: JsonObject): readonly DocumentTag[] {
  const operations = Object.entries(objectOf(document['paths'])).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = objectOf(item)[method];
      if (!isObject(operation)) return [];
      const tags: readonly unknown[] = Array.isArray(operation['tags']) ? operation['tags'] : [];
      const [tag] = tags;
      return [
        { tag: textOf(tag), method: method.toUpperCase(), path, summary: textOf(operation['summary']) },
      ];
    }),
  );
  const tags: readonly unknown[] = Array.isArray(document['tags']) ? document['tags'] : [];
  return tags.filter(isObject).map((tag) => ({
    name: textOf(tag['name']),
    description: textOf(tag['description']),
    operations: operations.filter((operation) => operation.tag === tag['name']),
  }));
}
