import type { z } from 'zod/mini'

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/** What is wrong with a value, to follow its name: `must be a text`. The value itself is not repeated, as it may be anything. */
export function demandOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be ${choiceOf(issue.values.map(String))}`
  if (issue.code === 'invalid_type') return `must be ${kinds[issue.expected] ?? issue.expected}`
  if (issue.code === 'unrecognized_keys')
    return `has no field ${issue.keys.map(key => `"${key.slice(0, 50)}"`).join(', ')}`
  if (issue.code === 'too_small')
    return boundary(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least')
  if (issue.code === 'too_big')
    return boundary(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most')
  return issue.message.startsWith('must ') ? issue.message : 'is not valid'
}

const choiceOf = (values: readonly string[]) =>
  values.length === 1 ? values.join('') : `one of ${values.join(', ')}`

function boundary(origin: string, limit: number | bigint, how: string): string {
  if (origin === 'string' || origin === 'array')
    return limit === 1 && how === 'at least'
      ? 'must not be empty'
      : `must have ${how} ${limit} ${units[origin]}`
  return `must be ${how} ${limit}`
}

const units = { string: 'characters', array: 'entries' }
