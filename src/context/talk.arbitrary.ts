import fc from 'fast-check'
import type { Json } from '../protocol/json.ts'
import type { Mark } from '../protocol/manipulation.ts'
import { createTalk, manyLines, numbered, type Talk } from './talk.fixture.ts'

/** One thing that happens in a conversation. */
export type Scene =
  | {
      readonly type: 'call'
      readonly tool: string
      readonly input: Json
      readonly result: string | null
      readonly isError: boolean
    }
  | { readonly type: 'user' | 'says' | 'thinks'; readonly text: string }
  | { readonly type: 'wait'; readonly minutes: number }

const paths = fc.constantFrom('/w/a.ts', '/w/b.ts', '/w/dir/c.ts')

/** Pieces of a few files, so that lines come back often, also in other places and changed. */
const content = fc
  .array(
    fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      from: fc.integer({ min: 1, max: 60 }),
      count: fc.integer({ min: 1, max: 120 }),
    }),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map(pieces => pieces.map(({ name, from, count }) => manyLines(name, count, from)).join('\n'))

const result = fc.oneof(
  { weight: 6, arbitrary: content },
  { weight: 4, arbitrary: content.map(text => numbered(text)) },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constant('') },
)

const input: fc.Arbitrary<readonly [string, Json]> = fc.oneof(
  paths.map(path => ['Read', { file_path: path }] as const),
  fc.tuple(paths, content).map(([path, text]) => ['Write', { file_path: path, content: text }] as const),
  paths.map(path => ['Edit', { file_path: path, old_string: 'a', new_string: 'b' }] as const),
  fc.constantFrom('npm test', 'git status').map(command => ['Bash', { command }] as const),
  fc.constant(['TodoWrite', { todos: [] }] as const),
  fc.constant(['mcp__other__Read', { file_path: '/w/a.ts' }] as const),
)

const scene: fc.Arbitrary<Scene> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(input, result, fc.boolean()).map(([[tool, given], text, isError]): Scene => ({
      type: 'call',
      tool,
      input: given,
      result: text,
      isError,
    })),
  },
  { weight: 1, arbitrary: content.map((text): Scene => ({ type: 'user', text })) },
  { weight: 1, arbitrary: fc.constant<Scene>({ type: 'says', text: 'well' }) },
  { weight: 1, arbitrary: fc.constant<Scene>({ type: 'thinks', text: 'hm' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Scene>({ type: 'wait', minutes: 1 }, { type: 'wait', minutes: 10 }),
  },
)

/** A conversation, scene by scene. */
export const scenes = fc.array(scene, { minLength: 1, maxLength: 40 })

/** Adds one scene to a conversation. */
export function play(talk: Talk, each: Scene): void {
  if (each.type === 'call') talk.call(each.tool, each.input, each.result, { error: each.isError })
  else if (each.type === 'wait') talk.wait(each.minutes)
  else if (each.type === 'user') talk.user(each.text, `i${talk.step}`)
  else if (each.type === 'says') talk.says(each.text)
  else talk.thinks(each.text)
}

/** A whole conversation. */
export function playAll(all: readonly Scene[]): Talk {
  const talk = createTalk()
  talk.user('go')
  for (const each of all) play(talk, each)
  return talk
}

/** A random change of some parts. */
export const wishes = fc.array(
  fc.record({
    part: fc.nat(),
    to: fc.constantFrom<Mark>(
      'active',
      'superseded',
      'invalidated',
      'archived',
      'deleted',
      'undeleted',
      'pinned',
      'unpinned',
    ),
    who: fc.constantFrom('person' as const, 'policy' as const, 'tool' as const, 'model' as const),
  }),
  { maxLength: 25 },
)
