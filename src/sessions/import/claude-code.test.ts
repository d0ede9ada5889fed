import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { claudeCode } from '../../agents/claude-code/index.ts'
import { markHandover } from '../../protocol/handover.ts'
import { claudeLines } from './claude-lines.fixture.ts'
import { imported, importedOf as of, nameOf } from './imported-claude.fixture.ts'
import { folderWith, jsonLines, openImports, readTranscripts, wordsOf } from './transcripts.fixture.ts'

const side = { isSidechain: true, agentId: 'a1' }

/** A subagent is started with a task. */
const sent = (l: ReturnType<typeof claudeLines>) => [
  l.prompt('Ask'),
  l.call('toolu_t', 'Task', { prompt: 'Look', subagent_type: 'finder', description: 'find' }),
  l.user('Look', side),
]

describe('[A15] transcripts of Claude Code', () => {
  it('imports prompts, text, thinking, calls, results, usage, folder, model and times', async () => {
    const l = claudeLines()
    const { house, result, main, messages } = await of(l, [
      l.prompt('Fix it'),
      l.thinking('Hm.'),
      l.call('toolu_1'),
      l.result('toolu_1'),
      l.text('Done.'),
    ])
    expect(main).toEqual(['user: Fix it', 'thinks: Hm.', 'Bash: output-available', 'assistant: Done.'])
    const details = await house.sessions.get(result.session)
    expect(details).toMatchObject({ session: l.session, cwd: '/work', title: 'Fix it', model: 'claude-x' })
    expect(details).toMatchObject({ agentSession: l.session, status: 'idle', interactions: 1 })
    expect(details.tokens).toEqual({ input: 30, output: 15, cacheRead: 9, cacheWrite: 6 })
    expect(messages.get(null)?.[1]?.metadata).toMatchObject({
      reason: 'finished',
      startedAt: 1_770_000_002_000,
      endedAt: 1_770_000_005_000,
    })
  })

  it('[A13] a handover of an earlier conversation does not count as a prompt of a person', async () => {
    const l = claudeLines()
    const told = markHandover('What was said before.')
    const { main } = await of(l, [
      l.user([
        { type: 'text', text: told },
        { type: 'text', text: 'Fix it' },
      ]),
      l.text('Done.'),
      l.prompt(`${told}\n\nAgain`),
      l.text('Done again.'),
    ])
    expect(main).toEqual(['user: Fix it', 'assistant: Done.', 'user: Again', 'assistant: Done again.'])
  })

  it('follows the order of the file, because the tree would lose a call with parallel tools', async () => {
    const l = claudeLines()
    const { main } = await of(l, [
      l.prompt('Both'),
      l.call('toolu_a', 'Read', {}, {}, 'msg_1'),
      l.call('toolu_b', 'Read', {}, {}, 'msg_1'),
      l.result('toolu_b'),
      l.result('toolu_a'),
      l.text('Read.'),
    ])
    expect(main).toEqual([
      'user: Both',
      'Read: output-available',
      'Read: output-available',
      'assistant: Read.',
    ])
  })

  it('imports a subagent from its own file, linked by its meta file', async () => {
    const l = claudeLines()
    const lines = [...sent(l), l.text('I look.', side), l.result('toolu_t', 'found'), l.text('Found.')]
    const isSide = (line: object) => 'agentId' in line
    const { messages, main } = await imported({
      [nameOf(l)]: jsonLines(lines.filter(line => !isSide(line))),
      [`${l.session}/subagents/agent-a1.jsonl`]: jsonLines(lines.filter(isSide)),
      [`${l.session}/subagents/agent-a1.meta.json`]: '{"toolUseId":"toolu_t"}',
    })
    expect(main).toContain('subagent: completed')
    expect(wordsOf(messages.get('toolu_t'))).toEqual(['assistant: I look.'])
  })

  it.each([['{"toolUseId":"toolu_t"}'], [null]])(
    'imports a subagent whose file comes after the main one as if both came together, meta file %s',
    async meta => {
      const l = claudeLines()
      const lines = [
        ...sent(l),
        l.call('toolu_i', 'Read', {}, side),
        l.result('toolu_i', 'read', side),
        l.text('I look.', side),
        l.result('toolu_t', 'found'),
        l.text('Found.'),
        l.prompt('More'),
        l.text('No more.'),
      ]
      const isSide = (line: object) => 'agentId' in line
      const first = { [nameOf(l)]: jsonLines(lines.filter(line => !isSide(line))) }
      const both = {
        ...first,
        [`${l.session}/subagents/agent-a1.jsonl`]: jsonLines(lines.filter(isSide)),
        ...(meta !== null && { [`${l.session}/subagents/agent-a1.meta.json`]: meta }),
      }
      const together = await imported(both)
      const apart = await imported(first)
      const { transcripts } = await readTranscripts(claudeCode, folderWith(both))
      for (const transcript of transcripts) await apart.house.import(transcript)
      const messages = await apart.house.messages(apart.result.session)
      expect(await apart.house.differences(apart.result.session)).toBe(0)
      for (const thread of [null, 'toolu_t'])
        expect(wordsOf(messages.get(thread))).toEqual(wordsOf(together.messages.get(thread)))
      const news = (all: typeof messages) =>
        all.get(null)?.flatMap(({ parts }) => parts.filter(({ type }) => type === 'data-subagent'))
      expect(news(messages)).toEqual(news(together.messages))
    },
  )

  it('imports side chains in the same file, matched by the text of their task', async () => {
    const l = claudeLines()
    const first = l.user('Look', { isSidechain: true })
    const { messages } = await of(l, [
      l.prompt('Ask'),
      l.call('toolu_t', 'Task', { prompt: 'Look' }),
      first,
      l.text('I look.', { isSidechain: true, parentUuid: first.uuid }),
      l.result('toolu_t'),
    ])
    expect(wordsOf(messages.get('toolu_t'))).toEqual(['assistant: I look.'])
  })

  it('imports a subagent from progress lines once, although its own file has the same content', async () => {
    const l = claudeLines()
    const said = l.text('I look.')
    const progress = {
      type: 'progress',
      ...l.frame({ parentToolUseID: 'toolu_t' }),
      data: { type: 'agent_progress', agentId: 'a1', message: said },
    }
    const { messages } = await imported({
      [nameOf(l)]: jsonLines([l.prompt('Ask'), l.call('toolu_t', 'Task', {}), progress, l.result('toolu_t')]),
      'agent-a1.jsonl': jsonLines([{ ...said, isSidechain: true, agentId: 'a1' }]),
    })
    expect(wordsOf(messages.get('toolu_t'))).toEqual(['assistant: I look.'])
  })

  it('imports how answers end: interrupted, failed, cut off', async () => {
    const l = claudeLines()
    const { house, result, main } = await of(l, [
      l.prompt('One'),
      l.text('So'),
      l.user([{ type: 'text', text: '[Request interrupted by user]' }]),
      l.prompt('Two'),
      l.error('API Error: 529'),
      l.prompt('Three'),
      l.error('API Error: 500'),
      l.text('Now.'),
      l.prompt('Four'),
      l.call('toolu_x'),
    ])
    const ends = await house.events(result.session, 'interaction-ended')
    expect(ends.map(({ outcome }) => outcome)).toEqual(['interrupted', 'failed', 'finished', 'interrupted'])
    expect(ends[1]?.reason).toBe('API Error: 529')
    expect(main).toContain('overloaded: API Error: 500')
    expect(main.at(-1)).toBe('Bash: output-error')
  })

  it('[P7] an answer that was cut off is marked, unless it continued afterwards', async () => {
    const l = claudeLines()
    const stopped = (text: string, stop_reason: string) => {
      const line = l.text(text)
      return { ...line, message: { ...line.message, stop_reason } }
    }
    const { house, result } = await of(l, [
      l.prompt('One'),
      stopped('Half of', 'max_tokens'),
      l.prompt('Two'),
      stopped('I cannot', 'refusal'),
      l.prompt('Three'),
      stopped('Half of', 'max_tokens'),
      stopped(' it.', 'end_turn'),
      l.prompt('Four'),
      l.text('Whole.'),
    ])
    const ends = await house.events(result.session, 'interaction-ended')
    expect(ends.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^Cut off: /),
      expect.stringMatching(/^Cut off: /),
      null,
      null,
    ])
  })

  it('[A4] reports that the transcript ends before a result only for calls at its end', async () => {
    const l = claudeLines()
    const aside = (message: object) => ({
      type: 'progress',
      ...l.frame({ parentToolUseID: 'toolu_t' }),
      data: { type: 'agent_progress', agentId: 'a1', message },
    })
    const { messages } = await of(l, [
      l.prompt('One'),
      l.call('toolu_a', 'Read'),
      l.system('compact_boundary'),
      l.user('All so far.', { isCompactSummary: true }),
      l.call('toolu_b', 'Read'),
      l.prompt('Two'),
      l.call('toolu_c', 'Read', {}, {}, 'msg_1'),
      l.call('toolu_d', 'Read', {}, {}, 'msg_1'),
      l.call('toolu_t', 'Task', { prompt: 'Look' }, {}, 'msg_1'),
      l.result('toolu_d'),
      aside(l.call('toolu_e')),
      aside(l.text('I look.')),
      aside(l.call('toolu_f')),
    ])
    const errors = [...messages.values()]
      .flat()
      .flatMap(({ parts }) => parts)
      .flatMap(part =>
        part.type === 'dynamic-tool' && part.state === 'output-error'
          ? [[part.toolCallId, part.errorText]]
          : [],
      )
    const [ends, goesOn] = [
      'The transcript ends before there was a result.',
      'There is no result of this in the transcript.',
    ]
    expect(Object.fromEntries(errors)).toEqual({
      toolu_a: goesOn,
      toolu_b: goesOn,
      toolu_c: ends,
      toolu_t: ends,
      toolu_e: goesOn,
      toolu_f: ends,
    })
  })

  it('reports and skips malformed lines, and keeps the bytes of all others', async () => {
    const l = claudeLines()
    const odd = Buffer.from(JSON.stringify(l.text('a\u2028bXc')).replace('X', '\\ud83d'))
    const invalid = Buffer.concat([
      Buffer.from('{"type":"mode","x":"'),
      Buffer.from([0xff]),
      Buffer.from('"}\n'),
    ])
    const bytes = Buffer.concat([
      Buffer.from(`${JSON.stringify(l.prompt('Go'))}\n\n{"type":"user",\n`),
      odd,
      Buffer.from('\n[1]\n'),
      invalid,
      Buffer.from('{"cut":'),
    ])
    const { skipped, house, result } = await imported({ [`${l.session}.jsonl.gz`]: gzipSync(bytes) })
    expect(skipped.map(({ line }) => line)).toEqual([3, 5, 7])
    expect(skipped[0]?.file).toMatch(/\.jsonl\.gz$/)
    const raws = (await house.entries(result.session)).flatMap(({ event }) => ('raw' in event ? [event] : []))
    expect(raws.map(({ raw }) => raw)).toContain(odd.toString())
    expect(raws.flatMap(({ rawBytes }) => rawBytes ?? [])).toEqual([
      invalid.subarray(0, -1).toString('base64'),
    ])
  })

  it('ignores files of other programs and transcripts without messages', async () => {
    const l = claudeLines()
    const files = {
      'other.jsonl': '{"type":"message","id":1}\n',
      'text.txt': 'hello',
      [nameOf(l)]: jsonLines([l.note('queue-operation', { operation: 'dequeue' })]),
    }
    const { transcripts } = await readTranscripts(claudeCode, folderWith(files))
    const house = await openImports(claudeCode)
    const outcomes = await Promise.all(transcripts.map(each => house.import(each)))
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['empty'])
  })

  it('does not change a session that was deleted or continued here', async () => {
    const l = claudeLines()
    const { house, transcript, result } = await of(l, [l.prompt('Go'), l.text('Gone.')])
    const more = await readTranscripts(claudeCode, folderWith({ [nameOf(l)]: jsonLines([l.prompt('More')]) }))
    const [longer = transcript] = more.transcripts
    const connection = 'live' as never
    const owned = {
      type: 'agent-connected',
      agent: 'claude-code',
      connection,
      process: null,
      resumed: null,
    } as const
    const gone = {
      type: 'agent-exited',
      connection,
      code: 0,
      signal: null,
      reason: null,
      chunks: [],
    } as const
    await house.journal.append(result.session, [owned, gone])
    expect((await house.import(longer)).outcome).toBe('continued')
    await house.sessions.execute({ type: 'delete', session: result.session })
    expect((await house.import(longer)).outcome).toBe('deleted')
  })
})
