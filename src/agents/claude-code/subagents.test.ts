import { describe, expect, it } from 'vitest'
import {
  begin,
  block,
  chunksOf,
  inThread,
  line,
  noticesIn,
  only,
  ours,
  recording,
  result,
  results,
  textIn,
  whole,
} from './lines.fixture.ts'

describe('pitfalls of Claude Code: subagents', () => {
  const agent = (id: string, more: object = {}) =>
    whole(`of ${id}`, [{ type: 'tool_use', id, name: 'Agent', input: { prompt: 'Go' } }], more)
  const inside = (id: string, text: string) =>
    whole(`in ${id}`, [{ type: 'text', text }], { parent_tool_use_id: id })

  it('[P4] 12, 13: a subagent is the thread of its call, with any tool name, and reports its facts', () => {
    const main = inThread(recording('subagent-foreground-text'))
    expect(only(main, 'data-subagent').at(-1)?.data).toEqual({
      agent: 'general-purpose',
      description: 'Inspect greet module',
      status: 'completed',
      toolCalls: 1,
      tokens: 1016,
      cost: null,
      lastWords: 'It exports greet(name).',
    })
    expect(textIn(inThread(recording('subagent-foreground-text'), 'toolu_01AgentA'))).toBe(
      'Reading the file now.It exports greet(name).',
    )
    expect(textIn(main)).toBe('I will ask a helper.The helper reports one export, greet(name).')
    const mute = only(inThread(recording('subagent-foreground')), 'data-subagent')
    expect(mute.at(-1)?.data.lastWords).toBe('It exports greet(name).')
  })

  it('[P4] 13: a subagent in the background continues after the answer, ends later, and its call had its result at once', () => {
    const chunks = chunksOf(recording('subagent-background'))
    const finish = chunks.findIndex(({ thread, chunk }) => thread === null && chunk.type === 'finish')
    const late = chunks.slice(finish + 1)
    expect(late.some(({ thread, chunk }) => thread !== null && chunk.type === 'tool-output-available')).toBe(
      true,
    )
    expect(only(inThread(recording('subagent-background')), 'data-subagent').at(-1)?.data.status).toBe(
      'completed',
    )
  })

  it('[P4] 13: nested subagents belong to the inner call, and their text may come between others', () => {
    const lines = [
      begin('m1'),
      ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Look: ' }),
      agent('a1'),
      agent('a2', { parent_tool_use_id: 'a1' }),
      inside('a2', 'deep'),
      inside('a1', 'middle'),
      ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'done.' }),
      result(),
    ]
    expect(textIn(inThread(lines, 'a2'))).toBe('deep')
    expect(textIn(inThread(lines, 'a1'))).toBe('middle')
    expect(textIn(inThread(lines))).toBe('Look: done.')
  })

  it('[P4] 13: a subagent without an announcement ends with the result of its call', () => {
    const ends = (more: object) => {
      const lines = [
        agent('a1'),
        inside('a1', 'hi'),
        results([{ type: 'tool_result', tool_use_id: 'a1', content: 'x', ...more }]),
        result(),
      ]
      return only(inThread(lines), 'data-subagent').at(-1)?.data.status
    }
    expect(ends({})).toBe('completed')
    expect(ends({ is_error: true })).toBe('failed')
    const running = [
      agent('a1'),
      inside('a1', 'hi'),
      results([{ type: 'tool_result', tool_use_id: 'a1', content: 'x' }], {
        tool_use_result: { status: 'async_launched' },
      }),
    ]
    const news = only(inThread([...running, result()]), 'data-subagent').map(({ data }) => data.status)
    expect(news.slice(0, -1)).not.toContain('completed')
  })

  it.each(['subagent-foreground', 'subagent-foreground-text', 'custom-agent', 'subagent-background'])(
    '[P4] 13: %s: a subagent without an announcement gets its name from its call',
    name => {
      const lines = recording(name)
      // The lines of older releases do not name a subagent either.
      const plain = (fields: Readonly<Record<string, unknown>>) => ({
        ...fields,
        subagent_type: undefined,
        task_description: undefined,
      })
      const silent = lines
        .filter(({ text }) => !text.includes('"task_started"'))
        .map(({ from, text }) => ({
          from,
          text: JSON.stringify(plain(JSON.parse(text) as Readonly<Record<string, unknown>>)),
        }))
      const known = (all: typeof lines) =>
        only(inThread(all), 'data-subagent').map(({ data: { agent: called, description } }) => ({
          called,
          description,
        }))
      const [first] = known(lines)
      expect(silent.length).toBeLessThan(lines.length)
      expect(first?.description).not.toBe('')
      expect(new Set(known(silent).map(each => JSON.stringify(each)))).toEqual(
        new Set([JSON.stringify(first)]),
      )
    },
  )

  it('[P4] 13: a subagent whose own calls are not in the lines has made as many as its result says', () => {
    const twin = { status: 'completed', totalTokens: 17_315, totalToolUseCount: 2 }
    const seen = results([{ type: 'tool_result', tool_use_id: 'a1', content: 'x' }], {
      tool_use_result: twin,
    })
    const news = only(inThread([agent('a1'), inside('a1', 'hi'), seen, result()]), 'data-subagent')
    expect(news.at(-1)?.data).toMatchObject({ toolCalls: 2, tokens: 17_315 })
  })

  it('[P4] 13: its task is not shown again, other messages to it are', () => {
    const prompt = (text: string) => results([{ type: 'text', text }], { parent_tool_use_id: 'a1' })
    expect(noticesIn(inThread([agent('a1'), prompt('Go'), prompt('Go on'), result()], 'a1'))).toEqual([
      ['told-to-model', 'Go on'],
    ])
  })

  it('[P4] 13: a long command is not a subagent; in the background its end is a notice', () => {
    expect(only(inThread(recording('bash-6s')), 'data-subagent')).toEqual([])
    expect(noticesIn(inThread(recording('bash-6s')))).toEqual([])
    expect(noticesIn(inThread(recording('background-bash')))).toEqual([
      ['background-task', 'Background command "Background job" completed (exit code 0)'],
    ])
  })

  it('[P4] 14: a heartbeat makes no thread and no chunk', () => {
    const threads = new Set(chunksOf(recording('tool-progress')).map(({ thread }) => thread))
    expect([...threads]).toEqual([null])
  })

  it('[P4] updates of a subagent that an earlier process started are dropped', () => {
    const stray = line({
      type: 'system',
      subtype: 'task_notification',
      task_id: 't',
      tool_use_id: 'a',
      status: 'completed',
      summary: 'x',
    })
    expect(chunksOf([stray])).toEqual([])
    const prompt = ours({ type: 'user', uuid: 'p', message: {} })
    expect(chunksOf([result(), prompt, stray]).filter(({ chunk }) => chunk.type === 'start')).toHaveLength(1)
  })
})
