import type { MessageMetadata } from '../protocol/chunk.ts'
import { isObject, type Json, type JsonObject } from '../protocol/json.ts'

const forbidden: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Lays newer facts about a message over older ones: objects are merged at any depth, all else is replaced. */
export function mergeMetadata(older: MessageMetadata | undefined, newer: MessageMetadata): MessageMetadata {
  return older === undefined ? newer : mergeObjects(older, newer)
}

function mergeObjects(older: JsonObject, newer: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...older }
  for (const [key, value] of Object.entries(newer)) {
    if (forbidden.has(key) || value === undefined) continue
    const before = older[key]
    merged[key] = isObject(before) && isObject(value) ? mergeObjects(before, value) : value
  }
  return merged
}
