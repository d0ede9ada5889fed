import type { Json } from 'dragoman'
import { asFields, type Fields } from 'dragoman/client/work-log'
import type { Fact, Section } from './section.ts'

/** Longer texts are not facts but something to read. */
const longest = 200

/** Input that the card does not show already: short facts, long texts, and the rest as data. */
export function restOf(input: Json | undefined, shown: readonly string[]): readonly Section[] {
  if (input === undefined || input === null) return []
  if (typeof input !== 'object') return [{ kind: 'text', title: 'Input', text: String(input) }]
  if (Array.isArray(input)) return [{ kind: 'data', title: 'Input', value: input }]
  const hidden = [...shown, ...wrapping(asFields(input))]
  const facts: Fact[] = []
  const long: Section[] = []
  const others: [string, Json][] = []
  for (const [name, value] of Object.entries(asFields(input))) {
    if (hidden.includes(name) || value === undefined) continue
    const text = typeof value === 'object' ? null : String(value)
    if (text === null) others.push([name, value])
    else if (text.length <= longest && !text.includes('\n')) facts.push([name, text])
    else long.push({ kind: 'text', title: name, text })
  }
  return [
    ...(facts.length > 0 ? [{ kind: 'facts', facts } as const] : []),
    ...long,
    ...others.map(([name, value]): Section => ({ kind: 'data', title: name, value })),
  ]
}

const about = ['kind', 'title', 'locations', 'content']

/** A placeholder input of ACP agents that adds nothing to the card's line. */
const wrapping = (input: Fields): readonly string[] =>
  typeof input['kind'] === 'string' && Object.keys(input).every(name => about.includes(name)) ? about : []

/** Whether a result only confirms success, which the card shows already. */
export const isOnlyWell = (text: string): boolean =>
  !text.trim().includes('\n') && /success/i.test(text) && !/warn|error|fail|diagnos|not success/i.test(text)

/** The output as text or data; empty when there is none. */
export function outputAs(
  kind: 'text' | 'markdown',
  title: string,
  text: string,
  output: Json | undefined,
): readonly Section[] {
  if (text.trim() !== '') return [asData(text, title) ?? { kind, title, text }]
  if (isEmpty(output)) return []
  return [{ kind: 'data', title, value: output ?? null }]
}

const isEmpty = (value: Json | undefined) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** Text that is valid JSON is parsed. */
function asData(text: string, title: string): Section | null {
  if (!/^\s*[[{]/.test(text) || text.length > 500_000) return null
  try {
    const value = JSON.parse(text) as Json
    return typeof value === 'object' && value !== null ? { kind: 'data', title, value } : null
  } catch {
    // It only looked like JSON.
    return null
  }
}
