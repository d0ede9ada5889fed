import { describe, expect, it } from 'vitest'
import type { Chunk } from '../../protocol/chunk.ts'
import type { Event } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import { foldEntries } from '../fold.ts'
import {
  answered,
  ask,
  ended,
  failure,
  finish,
  journal,
  said,
  spoke,
  start,
  started,
} from '../journal.fixture.ts'
import { createWorkLog } from './work-log.ts'

const ours = { dynamic: true, providerExecuted: true } as const
const session = (agent: string): Event => ({
  type: 'session-created',
  agent,
  cwd: '/work',
  title: null,
  options: null,
})
const calls = (tool: string, input: Json, id = 'c'): Chunk => ({
  type: 'tool-input-available',
  toolCallId: id,
  toolName: tool,
  input,
  ...ours,
})
const gives = (output: Json, id = 'c'): Chunk => ({
  type: 'tool-output-available',
  toolCallId: id,
  output,
  ...ours,
})
const logOf = (agent: string, ...events: readonly Event[]) =>
  foldEntries(createWorkLog(), journal(session(agent), started('i'), ...events))

/** The line about a call of Claude Code that took a second. */
function line(tool: string, input: Json, ending: Json, agent = 'claude-code') {
  const failed = typeof ending === 'object' && ending !== null && 'failed' in ending ? ending.failed : null
  const end = typeof failed === 'string' ? failure('c', failed) : gives(ending)
  const [entry] = logOf(agent, spoke('i', null, start('m'), calls(tool, input)), spoke('i', null, end))
  return entry
}
const sentence = (...given: Parameters<typeof line>) => line(...given)?.sentence

describe('the work log', () => {
  it('[X7] describes each call in a sentence', () => {
    const read = { structured: { file: { startLine: 1, numLines: 200, totalLines: 900 } } }
    const patch = { structured: { structuredPatch: [{ lines: [' a', '-b', '+c', '+d', '+e'] }] } }
    expect(sentence('Read', { file_path: '/work/src/a.ts' }, read)).toBe('Read src/a.ts (lines 1–200)')
    expect(sentence('Read', { file_path: '/etc/hosts', offset: 3 }, 'x')).toBe(
      'Read /etc/hosts (from line 3)',
    )
    expect(sentence('Edit', { file_path: 'src/a.ts', old_string: 'b', new_string: 'c' }, patch)).toBe(
      'Changed src/a.ts (+3 −1)',
    )
    expect(sentence('Bash', { command: 'npm test' }, { failed: 'Exit code 1\nbad' })).toBe(
      'Ran `npm test` → exit 1 (1 s)',
    )
    expect(sentence('Grep', { pattern: 'foo', path: 'src' }, 'Found 14 files\na')).toBe(
      "Searched 'foo' in src (14 hits)",
    )
    expect(
      sentence(
        'Grep',
        { pattern: 'x' },
        { content: 'a:x', structured: { mode: 'content', numFiles: 0, numLines: 1 } },
      ),
    ).toBe("Searched 'x' (1 hit)")
    expect(sentence('Glob', { pattern: '*.ts' }, 'a.ts')).toBe("Listed '*.ts' (1 entry)")
    expect(sentence('Task', { subagent_type: 'reviewer', description: 'Look at it' }, 'ok')).toBe(
      'Delegated to reviewer: Look at it (1 s)',
    )
    const todos = ['completed', 'completed', 'pending'].map(status => ({ content: 'x', status }))
    expect(sentence('TodoWrite', { todos }, 'ok')).toBe('Plan: 2 of 3 done')
    expect(sentence('AskUserQuestion', { questions: [{ question: 'Red?' }] }, { answers: { q: 'No' } })).toBe(
      "Asked 'Red?' → No",
    )
    expect(sentence('read', { path: 'a' }, 'x\n[Lines 3 to 9 of 20.]', 'model')).toBe('Read a (lines 3–9)')
    expect(sentence('search', { pattern: 'x' }, 'No line fits.', 'model')).toBe("Searched 'x' (0 hits)")
    expect(line('list', {}, 'a\nb\n[There is more: ask for less.]', 'model')).toMatchObject({
      sentence: 'Listed the folder (2 entries), cut short',
      outcome: 'partial',
    })
    expect(
      line('run', { command: 'x' }, { output: '', exitCode: null, timedOut: 'It was.' }, 'model'),
    ).toMatchObject({ sentence: 'Ran `x` → interrupted (1 s)', outcome: 'partial' })
    expect(sentence('mcp__demo__Read', { path: 'x' }, 'ok')).toBe('Called Read of demo')
    expect(sentence('Bash', { command: 'x' }, { structured: { backgroundTaskId: 'b' } })).toBe(
      'Started `x` in the background',
    )
  })

  it('[X7] shows invisible characters of a name, and breaks no emoji', () => {
    expect(sentence('Read', { file_path: '/a/\u202Egnp.js' }, 'x')).toBe('Read /a/\u202Egnp.js')
    expect(sentence('Read', { file_path: '/a/\u0007b\u0085' }, 'x')).toBe('Read /a/␇b�')
    expect(sentence('Bash', { command: 'echo\t👩‍💻 \u200B' }, 'x')).toBe('Ran `echo 👩‍💻 \u200B` (1 s)')
  })

  it('[X7] keeps the name of a deeply nested file', () => {
    const told = sentence('Read', { file_path: `/${'deep/'.repeat(80)}name.ts` }, 'x') ?? ''
    expect(told).toMatch(/^Read …\/(deep\/)+name\.ts$/)
    expect(told.length).toBeLessThan(180)
    expect(sentence('Read', { file_path: `/a/${'n'.repeat(300)}.ts` }, 'x')).toMatch(/^Read …n+\.ts$/)
  })

  it('[X7] describes calls that use an existing subagent', () => {
    const told = (tool: string) => sentence(tool, {}, 'x', 'codex')
    expect(told('wait')).toBe('Waited for a subagent')
    expect(told('send_input')).toBe('Wrote to a subagent')
    expect(told('closeAgent')).toBe('Ended a subagent')
    expect(told('resumeAgent')).toBe('Resumed a subagent')
    expect(sentence('AgentOutputTool', {}, 'x')).toBe('Managed a subagent')
    expect(sentence('SendMessage', {}, { failed: 'Gone.' })).toBe('Could not write to a subagent: Gone.')
  })

  it('[X7] describes denied and failed calls with the reason', () => {
    expect(line('Read', { file_path: 'no.ts' }, { failed: 'There is none.\nReally.' })).toMatchObject({
      sentence: 'Could not read no.ts: There is none. …',
      outcome: 'failure',
      impact: [],
    })
    const asked = spoke('i', null, start('m'), calls('Bash', { command: 'rm -r /' }), ask('c'))
    expect(logOf('claude-code', asked)).toMatchObject([
      { sentence: 'Asks to run `rm -r /`', outcome: 'pending', approval: 'asked' },
    ])
    const refused = [asked, answered('ask-c', { approved: false }), spoke('i', null, failure('c'))]
    expect(logOf('claude-code', ...refused)).toMatchObject([
      {
        sentence: 'Asked to run `rm -r /` → not allowed',
        outcome: 'failure',
        approval: 'denied',
        impact: [],
      },
    ])
    const allowed = [asked, answered('ask-c'), spoke('i', null, gives('ok'))]
    expect(logOf('claude-code', ...allowed)).toMatchObject([{ outcome: 'success', approval: 'allowed' }])
  })

  it('[X7] lists running calls, and returns what changed since the last read', () => {
    const log = createWorkLog()
    const entries = journal(
      session('codex'),
      started('i'),
      spoke('i', null, start('m'), calls('commandExecution', { command: "/bin/bash -lc 'npm test'" })),
      spoke('i', null, { ...gives({ output: '…' }), preliminary: true } as Chunk),
      spoke('i', null, gives({ exitCode: 0 }), finish),
    )
    const news = entries.map(entry => {
      log.apply(entry)
      return log.news().map(each => [each.sentence, each.outcome])
    })
    expect(news).toEqual([
      [],
      [],
      [['Running `npm test` …', 'pending']],
      [['Running `npm test` …', 'pending']],
      [['Ran `npm test` → exit 0 (2 s)', 'success']],
    ])
    expect(log.view()).toBe(log.view())
  })

  it('[X7] names the action and the subject of each call', () => {
    const created = { structured: { type: 'create' } }
    expect(line('Write', { file_path: 'a.md', content: 'x' }, created)?.impact).toEqual([
      { resource: 'file:/work/a.md', change: 'created' },
    ])
    expect(line('Read', { file_path: 'a.md' }, 'x')?.impact).toEqual([
      { resource: 'file:/work/a.md', change: 'read' },
    ])
    const changes = [
      { path: '/work/a', kind: { type: 'delete' }, diff: 'x\n' },
      { path: '/work/b', kind: { type: 'update', move_path: '/work/c' }, diff: '-x\n+y\n' },
      { path: '/work/d', kind: { type: 'add' }, diff: 'x\n' },
    ]
    expect(line('fileChange', { changes }, { status: 'completed' }, 'codex')).toMatchObject({
      sentence: 'Changed a and 2 more (+2 −2)',
      impact: [
        { resource: 'file:/work/a', change: 'deleted' },
        { resource: 'file:/work/b', change: 'deleted' },
        { resource: 'file:/work/c', change: 'created' },
        { resource: 'file:/work/d', change: 'created' },
      ],
    })
    expect(line('Bash', { command: 'npm test' }, { failed: 'Exit code 1' })?.impact).toEqual([
      { resource: 'command:npm test', change: 'ran' },
    ])
  })

  it('[X7] has the entries of a call, and the raw messages of the agent', () => {
    const events = [
      spoke('i', null, start('m'), calls('Bash', { command: 'x' }), ask('c')),
      answered('ask-c'),
      spoke('i', null, gives('ok')),
    ]
    expect(logOf('claude-code', ...events)).toMatchObject([
      {
        message: 'm',
        toolCallId: 'c',
        interaction: 'i',
        start: { seq: 3 },
        stop: { seq: 5 },
        duration: 1000,
        seqs: [3, 4, 5],
        raws: [3, 5],
      },
    ])
    const closed = {
      ...(ended('i', 'interrupted') as Extract<Event, { type: 'interaction-ended' }>),
      chunks: [{ thread: null, chunk: failure('c', 'Interrupted before there was a result.') }],
    }
    expect(logOf('claude-code', events[0] as Event, closed)).toMatchObject([
      { sentence: 'Asked to run `x` → not answered', outcome: 'failure', seqs: [3, 4], raws: [3] },
    ])
  })

  it('[X7] shows only the parameters that a kind of tool is known to have, short and without secrets', () => {
    const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz'
    const shown = [
      line('Bash', { command: `curl -H "Authorization: Bearer ${secret}" x`, env: { A: secret } }, 'ok'),
      line('Bash', { command: `deploy --token hunter2hunter2 ${'x'.repeat(500)}` }, 'ok'),
      line('Write', { file_path: 'a', content: `password=${secret}` }, 'ok'),
      line('WebFetch', { url: `https://me:${secret}@x.example/?api_key=${secret}` }, 'ok'),
      line('mcp__bank__pay', { token: secret, amount: 3, note: secret }, secret),
      line('Read', { file_path: 'a' }, { failed: `Bad token=${secret}` }),
      line('AskUserQuestion', { questions: [{ question: 'Key?' }] }, { answers: { q: secret } }),
      line('AskUserQuestion', { questions: [{ question: 'Pin?', isSecret: true }] }, { answers: ['1234'] }),
    ]
    const text = JSON.stringify(shown)
    expect(text).not.toContain('abcdefghijkl')
    expect(text).not.toMatch(/hunter2|1234|amount/)
    expect(shown[4]?.parameters).toEqual({})
    for (const entry of shown) expect(entry?.sentence.length).toBeLessThan(400)
  })

  it('[X7] lists the calls of all threads, and drops retracted ones', () => {
    const inside = { thread: 'c', chunk: start('n') }
    const events = [
      spoke('i', null, start('m'), calls('Task', { description: 'x' })),
      said('i', [inside, { thread: 'c', chunk: calls('Read', { file_path: 'a' }, 'd') }]),
    ]
    expect(logOf('claude-code', ...events).map(({ thread }) => thread)).toEqual([null, 'c'])
    const retracted: Chunk = { type: 'data-retracted', data: { ids: ['d'], indexes: [0] } }
    expect(logOf('claude-code', ...events, spoke('i', 'c', retracted))).toHaveLength(1)
  })
})
