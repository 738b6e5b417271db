/** Reads fields of foreign JSON. A field that is missing or of another type is an `ImageError` with `not-this-list`. */
import { ImageError } from './image-error.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function parseJson(text: string): JsonObject {
  try {
    const json: unknown = JSON.parse(text);
    if (isObject(json)) {
      return json;
    }
  } catch (cause) {
    throw new ImageError('not-json', { cause });
  }
  throw new ImageError('not-this-list');
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectIn(json: JsonObject, key: string): JsonObject {
  const value = json[key];
  if (!isObject(value)) {
    throw new ImageError('not-this-list');
  }
  return value;
}

export function arrayIn(json: JsonObject, key: string): readonly unknown[] {
  const value = json[key];
  if (!Array.isArray(value)) {
    throw new ImageError('not-this-list');
  }
  return value;
}
