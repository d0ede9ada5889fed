import * as z from 'zod/mini'
import { DragomanError } from './error.ts'

/** What a value from outside is called in a sentence: "The body" and "The field" … */
export interface Wording {
  readonly whole: string
  readonly piece: string
}

/** Checks a value by its schema; a wrong one gets a sentence that names what is wrong and what would be right. */
export function checkInput<Schema extends z.core.$ZodType>(
  schema: Schema & z.ZodMiniType,
  value: unknown,
  wording: Wording,
): z.output<Schema> {
  const result = schema.safeParse(value, ourWords)
  if (result.success) return result.data
  const issue = meant(result.error.issues[0])
  throw new DragomanError(
    'invalid-input',
    issue === undefined ? `${wording.whole} is not valid.` : describe(issue, value, wording),
  )
}

/** What options of an agent are called. */
export const optionsOf = (agent: string): Wording => ({
  whole: `The options object of ${agent}`,
  piece: `For ${agent}, the option`,
})

/** The first thing that is wrong with a value. */
export const wrongIn = (schema: z.core.$ZodType, value: unknown): Issue | undefined =>
  meant(z.safeParse(schema, value, ourWords).error?.issues[0])

/** The default messages of zod depend on what else the process has loaded, so an issue has our message or none. */
const ourWords = { error: () => '' }

type Issue = z.core.$ZodIssue

/** Of several allowed shapes, the issue of the one that a value tried: its type matches, but a field inside does not. */
function meant(issue: Issue | undefined): Issue | undefined {
  if (issue?.code !== 'invalid_union') return issue
  const tried = issue.errors.find(ways => ways.every(({ path }) => path.length > 0))?.[0]
  return (tried && meant({ ...tried, path: [...issue.path, ...tried.path] })) || issue
}

function describe(issue: Issue, value: unknown, { whole, piece }: Wording): string {
  const path = issue.path.map(String).join('.').slice(0, 200)
  const where = path === '' ? whole : `${piece} ${JSON.stringify(path)}`
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.slice(0, 5).map(key => JSON.stringify(key.slice(0, 100)))
    return `${where} has the unknown field ${keys.join(', ')}. Remove it.`
  }
  const demand = demandOf(issue, value)
  return /^(must|is|needs|can|has)\b/.test(demand)
    ? `${where} ${demand}.`
    : `${where} is not valid: ${demand}.`
}

/** What is wrong with a value, to follow its name: `must be a string`. The value itself is not repeated, as it may be anything. */
export function demandOf(issue: Issue, value: unknown): string {
  if (issue.message !== '') return issue.message
  if (at(value, issue.path) === undefined) return 'is missing'
  if (issue.code === 'invalid_value') return `must be ${choiceOf(issue.values)}`
  if (issue.code === 'invalid_type') return `must be ${kinds[issue.expected] ?? `a ${issue.expected}`}`
  if (issue.code === 'invalid_union') return waysOf(issue, value)
  if (issue.code === 'unrecognized_keys')
    return `has no field ${issue.keys.map(key => JSON.stringify(key.slice(0, 50))).join(', ')}`
  if (issue.code === 'too_small')
    return boundary(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least')
  if (issue.code === 'too_big')
    return boundary(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most')
  return 'has an invalid value'
}

/** `must be a string or true or false`; for unions with a discriminator, the kinds are not listed. */
function waysOf(
  { errors, path }: Extract<Issue, { readonly code: 'invalid_union' }>,
  value: unknown,
): string {
  const demands = errors.flatMap(([first]) => (first ? [demandOf({ ...first, path }, value)] : []))
  const ways = demands.filter(demand => demand.startsWith('must be ')).map(demand => demand.slice(8))
  return ways.length === 0 ? 'must be of a known kind' : `must be ${[...new Set(ways)].join(' or ')}`
}

const kinds: Readonly<Record<string, string>> = {
  null: 'null',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function choiceOf(values: readonly unknown[]): string {
  const [only, ...others] = values.map(each => JSON.stringify(each))
  return others.length === 0 ? `${only}` : `one of ${[only, ...others].join(', ')}`
}

function boundary(origin: string, limit: number | bigint, how: string): string {
  if (origin !== 'string' && origin !== 'array') return `must be ${how} ${limit}`
  if (limit === 1 && how === 'at least') return 'must not be empty'
  return `must have ${how} ${limit} ${origin === 'string' ? 'characters' : 'entries'}`
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Readonly<Record<PropertyKey, unknown>>)[key]
  }
  return found
}
