import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../protocol/entry.ts'
import { chunksOf } from '../../protocol/event.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import { newFolder } from '../process.fixture.ts'
import { runHere, type Pretended, type Ran } from '../shell.fixture.ts'

const atOnce = ['--options', '{"pace":0}']
const run = (data: string, prompt: string, more: readonly string[] = [], pretended: Pretended = {}) =>
  runHere(['run', '--data', data, ...atOnce, ...more, prompt], pretended)
const entriesIn = ({ out }: Ran) =>
  out
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Entry)
const lastOf = (ran: Ran) => entriesIn(ran).at(-1)?.event

function expectGapless(entries: readonly Entry[]) {
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
}

describe('run', () => {
  it('[O3] [A11] prints every entry once and in order, and ends when the interaction is finished', async () => {
    const data = newFolder()
    const ran = await run(data, 'show me everything', ['--json', '--title', 'All of it'])
    const entries = entriesIn(ran)
    expect(ran.code).toBe(0)
    expectGapless(entries)
    expect(entries[0]?.event).toMatchObject({ type: 'session-created', title: 'All of it' })
    expect(lastOf(ran)).toMatchObject({ type: 'interaction-ended', outcome: 'finished' })
    assertWellFormed(entries.flatMap(({ event }) => chunksOf(event)))
    const spoken = entries.flatMap(({ event }) => (event.type === 'agent-spoke' ? [event.raw] : []))
    expect(spoken.length).toBeGreaterThan(50)
    for (const raw of spoken) expect(JSON.parse(raw)).toHaveProperty('type')
    expect(ran.err).toContain('Denied Bash: there is no terminal to ask for approval.')

    const session = String(entries[0]?.session)
    const tail = await runHere(['tail', session.slice(0, 20), '--data', data, '--json'])
    expect(entriesIn(tail).slice(0, entries.length)).toEqual(entries)
    const after = await runHere(['tail', session, '--data', data, '--json', '--after', '10'])
    expect(entriesIn(after)[0]?.seq).toBe(11)
    const beyond = await runHere(['tail', session, '--data', data, '--json', '--after', '100000'])
    expect([beyond.code, JSON.parse(beyond.err)]).toMatchObject([1, { code: 'cursor-ahead' }])
  })

  const endings: Readonly<Record<string, string>> = { 'an error': 'failed', 'a crash': 'failed' }
  it('[A11] every phrase of the demo works', async () => {
    const data = newFolder()
    const phrases = [
      'a long answer',
      'thinking',
      'tools',
      'an approval',
      'a question',
      'a subagent',
      'an image',
    ]
    for (const phrase of [...phrases, 'todos', 'a retraction', 'an error', 'a crash', 'hello']) {
      const ran = await run(data, `Show me ${phrase}.`, ['--json'])
      const outcome = endings[phrase] ?? 'finished'
      expect([phrase, lastOf(ran)]).toMatchObject([phrase, { type: 'interaction-ended', outcome }])
      expect(ran.code).toBe(outcome === 'finished' ? 0 : 1)
    }
    const { out } = await runHere(['sessions', '--data', data])
    expect(out.split('\n')).toHaveLength(12 + 2)
    expect(out).toMatch(/Failed +scripted +Show me an error\./)
  })

  it('[O3] shows a transcript for people', async () => {
    const data = newFolder()
    const { code, out } = await run(data, 'show me everything')
    const session = /dragoman tail (\S+) --data/.exec(out)?.[1] ?? ''
    expect(code).toBe(0)
    for (const line of [
      '> show me everything',
      'Here is everything that I can show.',
      '✻ The user wants to see me think.',
      '● Read missing.txt ✗ File missing.txt does not exist.',
      '? Bash: denied · There was no terminal to ask for approval.',
      '│ │ ● Grep it\\( ✓ 42 matches',
      '└ explorer · Done · 2 tool calls · ',
      '[image image/png ',
      '☑ Look around',
      '↶ retracted: “The capital of Australia is Sydney.”',
      'Done in ',
    ])
      expect(out).toContain(line)
    const tail = await runHere(['tail', session, '--data', data])
    expect(out.startsWith(tail.out.trimEnd().slice(0, -10))).toBe(true)
  })

  it('[O3] continues a session, and reads a prompt from standard input', async () => {
    const data = newFolder()
    const first = entriesIn(await run(data, 'hello', ['--json']))
    const session = String(first[0]?.session)
    const args = ['run', '--data', data, '--session', session.slice(0, 18), '--json', '-']
    const second = await runHere(args, { stdin: 'hello again\nand again\n' })
    const entries = entriesIn(second)
    expect(second.code).toBe(0)
    expect(entries[0]?.seq).toBeGreaterThan(Number(first.at(-1)?.seq))
    const started = entries.find(({ event }) => event.type === 'interaction-started')
    expect(started?.event).toMatchObject({ parts: [{ type: 'text', text: 'hello again\nand again' }] })
    expect(second.out).toContain('Welcome back')
    const titled = await runHere(['run', '--data', data, '--session', session, '--title', 'x', 'y'])
    expect([titled.code, titled.err]).toEqual([
      2,
      expect.stringContaining('--title works only for a new session'),
    ])
  })

  it('[A17] takes options one by one, for a new session and for one that exists', async () => {
    const data = newFolder()
    const options = async (...args: readonly string[]) => {
      const ran = await runHere(['run', '--data', data, '--json', ...args, 'hello'])
      return [ran.code, entriesIn(ran)] as const
    }
    const [code, first] = await options('--option', 'pace=0', '--option', 'seed=one')
    expect([code, first[0]?.event]).toMatchObject([0, { options: { pace: 0, seed: 'one' } }])
    const session = String(first[0]?.session)
    const [again, second] = await options('--session', session, '--option', 'seed=two')
    expect(again).toBe(0)
    expect(second.map(({ event }) => event.type)).not.toContain('session-created')
    const { out } = await runHere(['tail', session, '--data', data, '--json'])
    const assigned = entriesIn({ out } as Ran).find(({ event }) => event.type === 'agent-assigned')
    expect(assigned?.event).toMatchObject({ options: { pace: 0, seed: 'two' } })
    const refused = await runHere(['run', '--data', data, '--option', 'speed=1', 'hello'])
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining('has no option "speed". Available options: script, pace, seed.'),
    ])
    const unnamed = await runHere(['run', '--data', data, '--option', 'fast', 'hello'])
    expect(unnamed.err).toContain('--option needs a name and a value')
  })

  it('[A17] without a server, starts what was chosen in the app', async () => {
    const data = newFolder()
    const options = { scripted: { pace: 0, seed: 'chosen' } }
    writeFileSync(join(data, 'preferences.json'), JSON.stringify({ agent: 'scripted', options }))
    const env = { DRAGOMAN_AGENT: '' }
    const chosen = await runHere(['run', '--data', data, '--json', 'hello'], { env })
    expect(entriesIn(chosen)[0]?.event).toMatchObject({ agent: 'scripted', options: options.scripted })
    const named = await runHere(['run', '--data', data, '--json', '--option', 'pace=0', 'hello'], { env })
    expect(entriesIn(named)[0]?.event).toMatchObject({ agent: 'scripted', options: { pace: 0 } })
  })

  it('[A11] runs a script from a file, and makes its text harmless', async () => {
    const data = newFolder()
    const script = join(newFolder(), 'script.json')
    const text = '\u001b]0;owned\u0007\u001b[31mred\r\nnext \u202etxet'
    writeFileSync(script, JSON.stringify([{ type: 'text', text }]))
    const { code, out } = await runHere(['run', '--data', data, '--script', script, 'go'])
    expect(code).toBe(0)
    expect(out).toContain('␛]0;owned␇␛[31mred\nnext \\u202etxet')
  })

  it('[R2] refuses an invalid script or options before it creates a session', async () => {
    const data = newFolder()
    const script = join(newFolder(), 'script.json')
    const refused = async (args: readonly string[], sentence: string) => {
      const { code, out, err } = await runHere(['run', '--data', data, ...args, 'go'])
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toContain(sentence)
    }
    await refused(['--script', script], `Cannot read the script ${script} (ENOENT).`)
    writeFileSync(script, '[')
    await refused(['--script', script], `The script ${script} is not valid JSON.`)
    writeFileSync(script, '[{"type":"dance"}]')
    await refused(['--script', script], `The script ${script} cannot be read: "answers.0.0.type"`)
    await refused(['--options', '{"apiKey":"hunter2"'], '--options must be a JSON object. See')
    await refused(['--options', '{"pase":0}'], 'has no option "pase". Available options: script, pace, seed.')
    await refused(['--options', '{"pace":-1}'], 'For the scripted agent, the option "pace" must be')
    expect((await runHere(['sessions', '--data', data])).out).toContain('No sessions yet.')
  })

  it('[O4] an agent with invalid settings fails only if it is used', async () => {
    const data = newFolder()
    const agents = { bad: { kind: 'model', provider: 'nope' }, worse: { kind: 'modell' } }
    writeFileSync(join(data, 'dragoman.json'), JSON.stringify({ agents }))
    expect((await run(data, 'hello', ['--agent', 'scripted'])).code).toBe(0)
    for (const [name, words] of [
      ['bad', 'must be one of "anthropic", "openai", "google", "openai-compatible".'],
      ['worse', '"agents.worse.kind"'],
    ] as const) {
      const { code, err } = await runHere(['run', '--data', data, '--agent', name, 'hello'])
      expect([code, err]).toEqual([2, expect.stringContaining(words)])
      const doctor = await runHere(['doctor', '--data', data])
      expect([doctor.code, doctor.out]).toEqual([0, expect.stringContaining(words)])
    }
  })

  it('[O3] the first Ctrl-C stops the agent, and a second one quits', async () => {
    const data = newFolder()
    let pressed = false
    const gently = await run(data, 'a hang', ['--json'], {
      meanwhile(end, written) {
        if (pressed || !written.includes('"delta":"wait')) return
        pressed = true
        end('interrupt')
      },
    })
    expect([gently.code, lastOf(gently)]).toMatchObject([
      1,
      { type: 'interaction-ended', outcome: 'interrupted' },
    ])
    expect(gently.err).toContain('Press Ctrl-C again to quit.')

    const hard = await run(data, 'a hang', ['--json'], {
      meanwhile(end, written) {
        if (!written.includes('"delta":"wait')) return
        end('interrupt')
        end('interrupt')
      },
    })
    expect(hard.code).toBe(1)
    expect(lastOf(hard)).not.toMatchObject({ type: 'interaction-ended' })
  })

  it('[J7] replays to the same chunks, rebuilds without a difference, and returns the native lines', async () => {
    const data = newFolder()
    const session = String(entriesIn(await run(data, 'tools, please', ['--json']))[0]?.session)
    const tail = await runHere(['tail', session, '--data', data, '--json'])
    const replay = await runHere(['replay', session, '--data', data, '--json', '--speed', 'max'])
    expect(replay.out).toBe(tail.out)
    const shown = await runHere(['replay', session, '--data', data, '--speed', '1000'])
    expect(shown.out).toBe((await runHere(['tail', session, '--data', data])).out)
    const rebuilt = await runHere(['rebuild', session, '--data', data, '--json'])
    expect(rebuilt).toMatchObject({ code: 0, out: '' })
    expect((await runHere(['rebuild', session, '--data', data])).out).toContain('No differences')

    const raw = await runHere(['tail', session, '--data', data, '--raw'])
    const translated = await runHere(['translate', '--agent', 'scripted'], { stdin: raw.out })
    const chunks = entriesIn(tail).flatMap(({ event }) => chunksOf(event))
    const again = translated.out.split('\n').filter(Boolean)
    expect(again.map(line => (JSON.parse(line) as { chunk: { type: string } }).chunk.type)).toEqual(
      chunks.map(({ chunk }) => chunk.type),
    )
  })

  it('[O3] verify finds damage and names the session', async () => {
    const data = newFolder()
    const session = String(entriesIn(await run(data, 'tools, please', ['--json']))[0]?.session)
    const healthy = await runHere(['verify', '--data', data, '--json'])
    expect([healthy.code, JSON.parse(healthy.out)]).toMatchObject([0, { sessions: 1, damage: [] }])
    const path = join(data, 'journal.db')
    const bytes = readFileSync(path)
    // The database is packed, so its words are in its last pages.
    for (let at = 0; at < bytes.length; at += 512) bytes[at + 300] = (bytes[at + 300] ?? 0) ^ 0x10
    writeFileSync(path, bytes)
    const damaged = await runHere(['verify', '--data', data])
    expect(damaged.code).toBe(1)
    expect(damaged.out).toContain(session)
    expect(damaged.out).toMatch(/^✗ \d+ damages? found/)
  })
})
