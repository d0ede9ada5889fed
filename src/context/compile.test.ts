import { describe, expect, it } from 'vitest'
import { compile } from './compile.ts'
import { leastTokens } from './clear.ts'
import { profiles } from './profiles.ts'
import { recall } from './recall.ts'
import { recallId } from './placeholder.ts'
import { createTalk, manyLines, numbered, textOf, type Talk } from './talk.fixture.ts'
import { tokensOfText } from './tokens.ts'

const file = manyLines('a', 40)
const read = (talk: Talk, path: string, text = file) => talk.call('Read', { file_path: path }, numbered(text))

/** The given number of unimportant steps, each with a small result. */
const idle = (talk: Talk, steps: number) => {
  for (let at = 0; at < steps; at += 1) talk.call('Bash', { command: `true ${at}` }, 'ok')
}

describe('lines that are visible already', () => {
  it('[X3] a second identical read is sent as a reference to the first, and nothing is lost', () => {
    const talk = createTalk()
    talk.user('go')
    const [first, second] = [read(talk, '/w/a.ts'), read(talk, '/w/a.ts')]
    const { conversation, manifest } = compile(talk.history(), talk.target(), profiles.lossless, null)
    expect(textOf(conversation.messages, `${first}.result`)).toBe(numbered(file))
    expect(textOf(conversation.messages, `${second}.result`)).toMatch(
      /^\[lines 1-40: same as lines 1-40 of Read \/w\/a\.ts, \w+\]$/,
    )
    expect(manifest.decisions.get(`${second}.result`)).toMatchObject({ as: 'reference', rule: 'duplicate' })
    expect(manifest.tokens.after).toBeLessThan(manifest.tokens.before)
  })

  it('[X3] a result that repeats the input of its call is sent as a reference to the input', () => {
    const talk = createTalk()
    talk.user('go')
    const id = talk.call('Write', { file_path: '/w/a.ts', content: file }, `Written:\n${numbered(file)}`)
    const { conversation } = compile(talk.history(), talk.target(), profiles.lossless, null)
    expect(textOf(conversation.messages, `${id}.result`)).toContain('of input of Write /w/a.ts')
  })

  it('[X3] after an edit only the new lines are sent, with the lines next to them', () => {
    const talk = createTalk()
    talk.user('go')
    read(talk, '/w/a.ts')
    const changed = file.replace("const a20 = 'some words in the file'", "const a20 = 'NEW'")
    const second = read(talk, '/w/a.ts', changed)
    const { conversation } = compile(talk.history(), talk.target(), profiles.lossless, null)
    const text = textOf(conversation.messages, `${second}.result`) ?? ''
    expect(text).toMatch(
      /^\[lines 1-17: same .*\n +18→.*\n +19→.*\n +20→const a20 = 'NEW'\n +21→.*\n +22→.*\n\[lines 23-40: same/,
    )
  })

  it('[X3] a recalled part is sent in full, although its lines are visible already', () => {
    const talk = createTalk('model')
    talk.user('go')
    const [first, second] = [1, 2].map(() => talk.call('read', { path: '/w/a.ts' }, numbered(file)))
    const recalled = talk.call('recall', { name: recallId(`${second}.result`) }, numbered(file))
    const { conversation } = compile(talk.history(), talk.target(), profiles.lossless, null)
    expect(textOf(conversation.messages, `${second}.result`)).toContain('same as lines 1-40')
    for (const id of [first, recalled])
      expect(textOf(conversation.messages, `${id}.result`)).toBe(numbered(file))
  })

  it('[X3] five lines are too few for a reference', () => {
    const talk = createTalk()
    talk.user('go')
    const five = manyLines('a', 5)
    read(talk, '/w/a.ts', five)
    const second = read(talk, '/w/a.ts', five)
    const { conversation } = compile(talk.history(), talk.target(), profiles.lossless, null)
    expect(textOf(conversation.messages, `${second}.result`)).toBe(numbered(five))
  })

  it('[X3] lines whose numbers are not consecutive are not the same lines', () => {
    const talk = createTalk()
    talk.user('go')
    read(talk, '/w/a.ts')
    const odd = numbered(file).replace('    20→', '    99→')
    const second = talk.call('Read', { file_path: '/w/a.ts' }, odd)
    const { conversation } = compile(talk.history(), talk.target(), profiles.lossless, null)
    expect(textOf(conversation.messages, `${second}.result`)).toContain('    99→')
  })

  it('[X3] when the source is cleared, its lines are written out at the newest reference, and older ones point there', () => {
    const talk = createTalk()
    talk.user('go')
    const long = manyLines('a', 140)
    const first = talk.call('Bash', { command: 'cat a.ts' }, long)
    let manifest = compile(talk.history(), talk.target(), profiles.safe, null).manifest
    const second = talk.call('Bash', { command: 'cat ./a.ts' }, long)
    idle(talk, 4)
    const third = talk.call('Bash', { command: 'cat /w/a.ts' }, long)
    manifest = compile(talk.history(), talk.target(), profiles.safe, manifest).manifest
    const at = talk.target().at + 400_000
    const policy = { ...profiles.safe, cold: { keepSteps: 7, keepFiles: 18 } }
    // Now the first is seven steps old, the second six.
    const { conversation, manifest: last } = compile(talk.history(), talk.target({ at }), policy, manifest)
    const texts = [first, second, third].map(id => textOf(conversation.messages, `${id}.result`) ?? '')
    expect(texts[0]).toContain('cleared')
    expect(texts[1]).toMatch(/^\[140 lines: same as lines 1-140 of Bash/)
    expect(texts[2]).toBe(long)
    expect(last.decisions.get(`${second}.result`)).toMatchObject({ spans: [{ source: `${third}.result` }] })
  })
})

describe('free moments', () => {
  it('[X3] old results are cleared when the cache is cold, and never while it is warm', () => {
    const talk = createTalk()
    talk.user('go')
    const old = talk.call('Grep', { pattern: 'x' }, manyLines('hit', 200))
    idle(talk, 10)
    const warm = compile(talk.history(), talk.target(), profiles.safe, null)
    // The very first request is cold; continue from an earlier one.
    const before = compile(talk.history(), talk.target(), profiles.lossless, null).manifest
    const stillWarm = compile(talk.history(), talk.target(), profiles.safe, before)
    expect(stillWarm.manifest.isPrefixKept).toBe(true)
    expect(textOf(stillWarm.conversation.messages, `${old}.result`)).toBe(manyLines('hit', 200))
    expect(textOf(warm.conversation.messages, `${old}.result`)).toContain('cleared: old')
    const cold = compile(
      talk.history(),
      talk.target({ at: talk.target().at + 301_000 }),
      profiles.safe,
      stillWarm.manifest,
    )
    expect(cold.manifest.isCold).toBe(true)
    expect(textOf(cold.conversation.messages, `${old}.result`)).toContain('cleared: old')
  })

  it('[X3] the content of a file stays as long as the file is in use', () => {
    const talk = createTalk()
    talk.user('go')
    const [worked, left] = [
      read(talk, '/w/a.ts', manyLines('a', 200)),
      read(talk, '/w/b.ts', manyLines('b', 200)),
    ]
    idle(talk, 20)
    talk.call('Edit', { file_path: '/w/a.ts', old_string: 'a1', new_string: 'a2' }, 'done')
    const { manifest } = compile(talk.history(), talk.target(), profiles.safe, null)
    expect(manifest.decisions.get(`${left}.result`)?.as).toBe('placeholder')
    expect(manifest.decisions.has(`${worked}.result`)).toBe(false)
  })

  it('[X3] when the window fills, the oldest results are cleared in one batch, files in use last, and stay cleared', () => {
    const talk = createTalk()
    talk.user('go')
    const worked = read(talk, '/w/a.ts', manyLines('a', 600))
    const others = Array.from({ length: 8 }, (_, at) => read(talk, `/w/f${at}.ts`, manyLines(`f${at}x`, 600)))
    talk.call('Edit', { file_path: '/w/a.ts', old_string: 'a1', new_string: 'a2' }, 'done')
    idle(talk, 3)
    const policy = { ...profiles.safe, cold: null }
    const window = 100_000
    const { manifest } = compile(talk.history(), talk.target({ window }), policy, null)
    expect(manifest.tokens.after + 10_000).toBeLessThanOrEqual(0.45 * window)
    expect(manifest.decisions.has(`${worked}.result`)).toBe(false)
    expect(manifest.decisions.get(`${others[0]}.result`)).toMatchObject({
      as: 'placeholder',
      rule: 'pressure',
    })
    expect(manifest.decisions.has(`${others.at(-1)}.result`)).toBe(false)
    idle(talk, 1)
    const next = compile(talk.history(), talk.target({ window }), policy, manifest).manifest
    expect(next.changes).toEqual([])
    expect(next.isPrefixKept).toBe(true)
  })

  it('[X3] prompts, subagent reports and skills are not cleared', () => {
    const talk = createTalk()
    talk.user('go')
    const kept = [
      talk.call('Task', { prompt: 'look' }, manyLines('report', 100)),
      talk.call('AskUserQuestion', { question: 'which?' }, manyLines('answer', 100)),
      talk.call('Skill', { skill: 'x' }, manyLines('skill', 100)),
    ]
    talk.call('Grep', { pattern: 'x' }, manyLines('hit', 200))
    idle(talk, 30)
    const { manifest } = compile(talk.history(), talk.target(), profiles.balanced, null)
    expect(kept.some(id => manifest.decisions.has(`${id}.result`))).toBe(false)
    expect(manifest.decisions.size).toBe(1)
  })

  it('[X3] pairs under 60 tokens are never cleared', () => {
    const talk = createTalk()
    talk.user('go')
    idle(talk, 40)
    talk.call('Grep', { pattern: 'x' }, manyLines('hit', 200))
    idle(talk, 20)
    const { manifest } = compile(talk.history(), talk.target(), profiles.aggressive, null)
    expect(manifest.decisions.size).toBe(1)
    expect(leastTokens).toBe(60)
  })
})

describe('placeholders', () => {
  it('[X3] are the same every time, shorter than 40 tokens, and tell what was cleared, why, and how to get it back', () => {
    const talk = createTalk()
    talk.user('go')
    const path = `/w/${'a-very-long-folder/'.repeat(20)}file.ts`
    const id = talk.call('mcp__server-with-a-long-name__and_a_long_tool', { path }, manyLines('x', 200))
    const named = talk.call('Read', { file_path: path, offset: 1, limit: 200 }, manyLines('y', 200))
    idle(talk, 20)
    const once = compile(talk.history(), talk.target(), profiles.safe, null)
    const twice = compile(talk.history(), talk.target(), profiles.safe, null)
    expect(once.conversation).toEqual(twice.conversation)
    for (const part of [`${id}.result`, `${named}.result`]) {
      const text = textOf(once.conversation.messages, part) ?? ''
      expect(text).toContain('cleared: old')
      expect(text).toContain(recallId(part))
      expect(tokensOfText(text.length)).toBeLessThan(40)
      expect(recall(talk.history(), recallId(part))?.id).toBe(part)
      expect(recall(talk.history(), part)?.id).toBe(part)
    }
    expect(recall(talk.history(), 'nothing')).toBeNull()
  })
})

describe('valid requests', () => {
  it('[X6] a call without a result gets one, with the same id every time', () => {
    const talk = createTalk()
    talk.user('go')
    const [first, second] = talk.calls(['Bash', { command: 'a' }, null], ['Bash', { command: 'b' }, 'fine'])
    talk.user('what happened?')
    const { conversation } = compile(talk.history(), talk.target(), profiles.off, null)
    const results = conversation.messages.flatMap(({ parts }) =>
      parts.filter(({ kind }) => kind === 'result'),
    )
    expect(results.map(({ id }) => id).toSorted()).toEqual(
      [`${first}:missing`, `${second}.result`].toSorted(),
    )
    expect(compile(talk.history(), talk.target(), profiles.off, null).conversation).toEqual(conversation)
  })

  it('[X6] the profile off changes nothing and gives the same objects', () => {
    const talk = createTalk()
    talk.user('go')
    read(talk, '/w/a.ts')
    read(talk, '/w/a.ts')
    const history = talk.history()
    const { conversation, manifest } = compile(history, talk.target(), profiles.off, null)
    expect(conversation.messages.every((message, at) => message === history.messages[at]?.message)).toBe(true)
    expect(manifest.tokens.after).toBe(manifest.tokens.before)
  })

  const thinking = (kind: 'free' | 'dropped' | 'bound', isOver: boolean) => {
    const talk = createTalk()
    talk.user('go')
    talk.call('Grep', { pattern: 'x' }, manyLines('hit', 200))
    talk.thinks('hm')
    idle(talk, 10)
    if (isOver) talk.user('and now?', 'i2')
    const before = compile(talk.history(), talk.target(), profiles.off, null).manifest
    const target = talk.target({ thinking: kind, at: talk.target().at + 400_000 })
    return [...compile(talk.history(), target, profiles.safe, before).manifest.decisions.values()].map(
      ({ rule }) => rule,
    )
  }

  it('[X6] thinking after a changed part is left out where it is bound to that part', () => {
    expect(thinking('free', true)).toEqual(['cold'])
    expect(thinking('dropped', true)).toEqual(['cold', 'thinking'])
    expect(thinking('bound', true)).toEqual(['cold', 'thinking'])
  })

  it('[X6] nothing is changed within a running tool loop with bound thinking', () => {
    expect(thinking('bound', false)).toEqual([])
    expect(thinking('dropped', false)).toEqual(['cold', 'thinking'])
  })
})
