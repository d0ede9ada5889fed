import type * as z from 'zod/mini'
import { DragomanError } from '../protocol/error.ts'

/** What a value from outside is called in a sentence: "The field", "The parameter" … */
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
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new DragomanError(
    'invalid-input',
    issue === undefined ? `${wording.whole} is not valid.` : tell(issue, value, wording),
  )
}

type Issue = z.core.$ZodIssue

function tell(issue: Issue, value: unknown, { whole, piece }: Wording): string {
  const path = issue.path.map(String).join('.').slice(0, 200)
  const where = path === '' ? whole : `${piece} ${JSON.stringify(path)}`
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.slice(0, 5).map(key => JSON.stringify(key.slice(0, 100)))
    return `${path === '' ? whole : where} has ${keys.join(', ')}, which is not known here. Leave it out.`
  }
  const said = isOurs(issue.message) ? issue.message : describe(issue, at(value, issue.path))
  return /^(must|is|needs|can|has)\b/.test(said) ? `${where} ${said}.` : `${where} is not valid: ${said}.`
}

/** The words of the schemas are ours; where there are none, zod only says that something is wrong. */
const isOurs = (message: string) => message !== 'Invalid input' && message !== ''

function describe(issue: Issue, found: unknown): string {
  if (found === undefined) return 'is missing'
  if (issue.code === 'invalid_type') return `must be ${article(issue.expected)}`
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.map(each => JSON.stringify(each)).join(' or ')}`
  if (issue.code === 'invalid_union') return 'must be of a kind that is known'
  return 'has a wrong value'
}

const article = (type: string) => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`)

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Readonly<Record<PropertyKey, unknown>>)[key]
  }
  return found
}
