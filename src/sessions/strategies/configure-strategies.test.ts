import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createTalk, manyLines } from '../../context/talk.fixture.ts'
import { strategiesAfter } from '../../context/run-strategies.ts'
import { askStrategies } from './ask-strategies.ts'
import { configureStrategies } from './configure-strategies.ts'
import { createWorkerStrategies } from './worker-strategies.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-configured-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('configured strategies', () => {
  it('[X3] a custom strategy works from its file to the event', async () => {
    const file = join(folder, 'newest.mjs')
    writeFileSync(
      file,
      'export default ({ trigger, pairs }) => pairs.filter(pair => pair.call !== trigger.call && pair.mark === "active")\n' +
        '  .map(pair => ({ parts: [pair.call], to: "superseded", reason: "only the newest counts", render: "clear" }))\n',
    )
    const { strategies, modules } = configureStrategies([{ tool: 'mcp__db__query', custom: file }])
    await using custom = createWorkerStrategies(modules)
    const talk = createTalk()
    talk.user('go')
    const first = talk.call('mcp__db__query', { q: 1 }, manyLines('a', 60))
    const call = talk.call('mcp__db__query', { q: 2 }, manyLines('b', 60))
    const options = talk.options({ strategies })
    expect(await askStrategies({ history: talk.history(), call, options, custom })).toMatchObject([
      {
        type: 'manipulation-applied',
        parts: [first, `${first}.result`],
        actor: { kind: 'tool', owner: 'mcp:db' },
      },
    ])
  })

  it('[X3] the documented example clears the older result of the same query, and of no other', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/message-management.md'), 'utf8')
    const [, example = ''] = /```json\n(\{\n  "strategies"[^]*?)```/.exec(page) ?? []
    const { strategies: configured } = JSON.parse(example) as { strategies: readonly { tool: string }[] }
    const { strategies } = configureStrategies(configured)
    const [tool = ''] = configured.map(each => each.tool)
    const talk = createTalk()
    talk.user('go')
    const first = talk.call(tool, { sql: 'select 1' }, manyLines('a', 60))
    talk.call(tool, { sql: 'select 2' }, manyLines('b', 60))
    const call = talk.call(tool, { sql: 'select 1' }, manyLines('c', 60))
    expect(strategiesAfter(talk.history(), call, talk.options({ strategies }))).toMatchObject([
      { type: 'manipulation-applied', parts: [first, `${first}.result`], to: 'superseded' },
    ])
  })

  it('[X3] an error names the field that is wrong', () => {
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      ['no list', /"strategies" is not valid/],
      [[{ tool: '' }], /"strategies\.0\.tool"/],
      [[{ tool: 'x', tyop: 1 }], /"strategies\.0" is not valid/],
      [[{ tool: 'x', age: { seconds: -1 } }], /"strategies\.0\.age/],
      [[{ tool: 'x', invalidates: [{ to: 'deleted' }] }], /"strategies\.0\.invalidates\.0/],
    ]
    for (const [configured, message] of wrong) expect(() => configureStrategies(configured)).toThrow(message)
  })

  it('[X3] the error for each wrong field says what it must be', () => {
    const rule = { name: 'n', to: 'superseded', reason: 'r', rendering: { how: 'keep', moment: 'now' } }
    const semantic = { ...rule, owner: 'fs', effects: ['read'], match: 'any' }
    const wrong: readonly (readonly [unknown, string])[] = [
      [5, '"strategies" is not valid: it must be a list of strategies.'],
      [[5], '"strategies.0" is not valid: it must be the strategy of a tool.'],
      [[{ tool: 5 }], '"strategies.0.tool" is not valid: it must be the name of a tool'],
      [[{ tool: 'x', tyop: 1 }], 'which has no field "tyop"'],
      [[{ tool: 'x', custom: 5 }], 'must be the path of a module'],
      [[{ tool: 'x', accepts: 'fs' }], 'must be a list of names of owners'],
      [[{ tool: 'x', parameters: 5 }], 'must be a list of rules'],
      [
        [{ tool: 'mcp__db__query', parameters: [{ ...rule, match: 'exact' }] }],
        '"strategies.0.parameters.0.on" is not valid: it must be a list of names of parameters to compare',
      ],
      [[{ tool: 'x', age: { ...rule, seconds: 'soon' } }], 'must be a number of seconds, 0 or more'],
      [[{ tool: 'x', cascade: [{ ...semantic, effects: 5 }] }], 'must be a list of effects'],
      [[{ tool: 'x', cascade: [{ ...semantic, to: 5 }] }], 'must be one of "superseded", "invalidated"'],
      [[{ tool: 'x', cascade: [{ ...semantic, rendering: 5 }] }], 'must be how a part is rendered'],
      [
        [{ tool: 'x', cascade: [{ ...semantic, rendering: { ...rule.rendering, keepLast: 0.5 } }] }],
        'must be a whole number from 0 to 1000',
      ],
    ]
    for (const [configured, message] of wrong) expect(() => configureStrategies(configured)).toThrow(message)
  })

  it('[X4] a strategy belongs to the tool of one owner, and not to another owner’s tool of the same name', () => {
    const { strategies } = configureStrategies([{ tool: 'Read', accepts: ['shell'] }])
    expect(strategies.consents('fs', 'shell')).toBe(true)
    expect(strategies.of({ tool: 'Read', owner: 'mcp:evil', family: 'other' })).toEqual([])
  })
})
