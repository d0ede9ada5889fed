import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createRandom, randomUuid } from '../../bench/load/random.ts'
import { createWords } from '../../bench/load/words.ts'

/** Sessions of one agent. */
export interface History {
  readonly sessions: number
  readonly bytes: number
}

/** What a home folder holds, and a word that only one tool output has, in the middle of it. */
export interface WrittenHome {
  readonly agents: Readonly<Record<string, History>>
  readonly rareWord: string
}

const sessions = { 'Claude Code': 180, Codex: 60, OpenCode: 40, 'Gemini CLI': 20 }
/** Of tool outputs; most transcripts have more around them, and Claude Code's have them twice. */
const bytesOfSession = 780_000
const rareWord = 'zyzzogeton'
const newest = Date.UTC(2026, 10, 18, 12)
const hour = 3_600_000

/** Writes a home folder as four agents leave it after a year of work. */
export function writeHome(home: string): WrittenHome {
  const random = createRandom(17)
  const write = createWords(random, 20_000)
  const texts = Array.from({ length: 2000 }, () => write(100 + Math.floor(random() * 900)))
  const text = () => texts[Math.floor(random() * texts.length)] ?? ''
  const turnsOf = (session: string, first: string): readonly Turn[] => {
    const turns: Turn[] = []
    for (let bytes = 0; bytes < bytesOfSession;) {
      const turn = {
        prompt: write(12),
        thought: write(40),
        outputs: [text(), text(), text()],
        answer: write(80),
      }
      bytes += turn.outputs.join('').length + 2500
      turns.push(turn)
    }
    turns[0] = {
      prompt: `${first} ${session.slice(0, 4)}`,
      thought: '',
      outputs: [text()],
      answer: write(80),
    }
    return turns
  }
  const stories = (count: number): readonly Story[] =>
    Array.from({ length: count }, (_, index) => {
      const id = randomUuid(random)
      const at = newest - Math.floor((index * 365 * 24) / count) * hour
      return { id, at, cwd: join(home, 'work', `project-${index % 12}`), turns: turnsOf(id, write(8)) }
    })
  const sizes: Record<string, History> = {}
  for (const [agent, count] of Object.entries(sessions)) {
    const all = stories(count)
    if (agent === 'Claude Code') hide(all[Math.floor(count / 2)])
    sizes[agent] = { sessions: count, bytes: writers[agent as keyof typeof sessions](home, all) }
  }
  return { agents: sizes, rareWord }
}

interface Turn {
  readonly prompt: string
  readonly thought: string
  readonly outputs: readonly string[]
  readonly answer: string
}

interface Story {
  readonly id: string
  readonly at: number
  readonly cwd: string
  readonly turns: readonly Turn[]
}

/** Puts the rare word in the middle of a tool output in the middle of a session. */
function hide(story: Story | undefined): void {
  const turn = story?.turns[Math.floor(story.turns.length / 2)]
  const [output = ''] = turn?.outputs ?? []
  const middle = output.indexOf(' ', output.length / 2)
  Object.assign(turn?.outputs ?? {}, { 0: `${output.slice(0, middle)} ${rareWord}${output.slice(middle)}` })
}

const timeOf = (story: Story, step: number) => new Date(story.at + step * 1000).toISOString()

/** Saves lines in a file that changed last when the session did. */
function save(file: string, story: Story, lines: readonly object[]): number {
  const text = lines.map(line => `${JSON.stringify(line)}\n`).join('')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  utimesSync(file, story.at / 1000, story.at / 1000)
  return text.length
}

const sumOf = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0)

const writers: Readonly<Record<keyof typeof sessions, (home: string, stories: readonly Story[]) => number>> =
  {
    'Claude Code': (home, stories) =>
      sumOf(
        stories.map(story => {
          const folder = story.cwd.replaceAll(/[/.]/g, '-')
          return save(join(home, '.claude/projects', folder, `${story.id}.jsonl`), story, claudeLines(story))
        }),
      ),
    Codex: (home, stories) =>
      sumOf(
        stories.map(story => {
          const day = timeOf(story, 0).slice(0, 10)
          const name = `rollout-${day}T12-00-00-${story.id}.jsonl`
          return save(join(home, '.codex/sessions', day.replaceAll('-', '/'), name), story, codexLines(story))
        }),
      ),
    OpenCode: (home, stories) => saveDatabase(join(home, '.local/share/opencode/opencode.db'), stories),
    'Gemini CLI': (home, stories) =>
      sumOf(
        stories.map(story => {
          const folder = join(home, '.gemini/tmp', story.id.slice(0, 8))
          mkdirSync(folder, { recursive: true })
          writeFileSync(join(folder, '.project_root'), `${story.cwd}\n`)
          return save(join(folder, `chats/session-${story.id.slice(0, 8)}.jsonl`), story, geminiLines(story))
        }),
      ),
  }

/** Claude Code: a line for each block of an answer and for each result. */
function claudeLines(story: Story): readonly object[] {
  const lines: object[] = []
  const add = (type: string, message: object, more: object = {}) => {
    const before = lines.length === 0 ? null : `${story.id}-${lines.length - 1}`
    lines.push({
      parentUuid: before,
      isSidechain: false,
      userType: 'external',
      cwd: story.cwd,
      sessionId: story.id,
      version: '2.1.0',
      gitBranch: 'main',
      type,
      message,
      uuid: `${story.id}-${lines.length}`,
      timestamp: timeOf(story, lines.length),
      ...more,
    })
  }
  const usage = { input_tokens: 10, output_tokens: 200, cache_read_input_tokens: 40_000 }
  const answer = (block: object) =>
    add('assistant', {
      id: `msg_${story.id}_${lines.length}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [block],
      stop_reason: null,
      usage: { ...usage, cache_creation_input_tokens: 900 },
    })
  for (const { prompt, thought, outputs, answer: text } of story.turns) {
    add('user', { role: 'user', content: prompt })
    if (thought !== '') answer({ type: 'thinking', thinking: thought, signature: 's' })
    for (const output of outputs) {
      const id = `toolu_${story.id}_${lines.length}`
      answer({ type: 'tool_use', id, name: 'Bash', input: { command: `make step-${lines.length}` } })
      const content = [{ type: 'tool_result', tool_use_id: id, content: output }]
      add('user', { role: 'user', content }, { toolUseResult: { stdout: output, stderr: '' } })
    }
    answer({ type: 'text', text })
  }
  return lines
}

/** Codex: responses and events, each with its time. */
function codexLines(story: Story): readonly object[] {
  const lines: object[] = []
  const add = (type: string, payload: object) =>
    lines.push({ timestamp: timeOf(story, lines.length), type, payload })
  const item = (payload: object) => add('response_item', payload)
  add('session_meta', { id: story.id, cwd: story.cwd, cli_version: '0.160.0', instructions: null })
  let [input, output] = [0, 0]
  for (const { prompt, thought, outputs, answer } of story.turns) {
    add('turn_context', { cwd: story.cwd, model: 'gpt-5.1-codex' })
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] })
    add('event_msg', { type: 'user_message', message: prompt })
    item({ type: 'reasoning', summary: [{ type: 'summary_text', text: thought }] })
    for (const text of outputs) {
      const call_id = `call_${story.id}_${lines.length}`
      const command = JSON.stringify({ command: ['make', `step-${lines.length}`] })
      item({ type: 'function_call', name: 'shell', arguments: command, call_id })
      item({ type: 'function_call_output', call_id, output: text })
    }
    item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] })
    input += 40_000
    output += 600
    const usage = { input_tokens: input, cached_input_tokens: 0, output_tokens: output }
    add('event_msg', { type: 'token_count', info: { total_token_usage: usage } })
    add('event_msg', { type: 'task_complete' })
  }
  return lines
}

/** Gemini CLI: a line for each message, with the calls and their results in it. */
function geminiLines(story: Story): readonly object[] {
  const lines: object[] = [
    { sessionId: story.id, projectHash: story.id.slice(0, 8), startTime: timeOf(story, 0), kind: 'main' },
  ]
  const message = (type: string, more: object) => {
    const id = `${story.id}-${lines.length}`
    lines.push({ id, timestamp: timeOf(story, lines.length), type, ...more })
  }
  const model = 'gemini-2.5-pro'
  const tokens = { input: 40_000, output: 200, cached: 0, thoughts: 0, total: 40_200 }
  for (const { prompt, outputs, answer } of story.turns) {
    message('user', { content: [{ text: prompt }] })
    for (const output of outputs) {
      const id = `call-${lines.length}`
      const args = { command: `make step-${lines.length}` }
      const result = [{ functionResponse: { id, response: { output } } }]
      const call = { id, name: 'run_shell_command', args, status: 'success', result }
      message('gemini', { content: '', model, toolCalls: [call], tokens })
    }
    message('gemini', { content: answer, model, tokens })
  }
  return lines
}

/** OpenCode: rows of sessions, messages and parts in a database. */
function saveDatabase(file: string, stories: readonly Story[]): number {
  mkdirSync(dirname(file), { recursive: true })
  const db = new DatabaseSync(file)
  db.exec(`pragma journal_mode = wal; begin;
    create table session (id text primary key, parent_id text, directory text, title text, version text, time_created integer, time_updated integer);
    create table message (id text primary key, session_id text, time_created integer, data text);
    create table part (id text primary key, message_id text, session_id text, data text);
    create index message_session on message (session_id); create index part_message on part (message_id)`)
  const addSession = db.prepare('insert into session values (?, null, ?, ?, ?, ?, ?)')
  const addMessage = db.prepare('insert into message values (?, ?, ?, ?)')
  const addPart = db.prepare('insert into part values (?, ?, ?, ?)')
  let bytes = 0
  for (const story of stories) {
    const session = `ses_${story.id}`
    let count = 0
    const now = () => story.at + ++count * 1000
    const nameOf = (kind: string) => `${kind}_${story.id}_${String(count).padStart(6, '0')}`
    const message = (data: object) => {
      const created = now()
      const id = nameOf('msg')
      addMessage.run(id, session, created, JSON.stringify({ ...data, time: { created, completed: created } }))
      return id
    }
    const part = (owner: string, data: object) => {
      now()
      const text = JSON.stringify(data)
      bytes += text.length
      addPart.run(nameOf('prt'), owner, session, text)
    }
    const title = story.turns[0]?.prompt ?? ''
    addSession.run(session, story.cwd, title, '1.0.0', story.at, story.at + story.turns.length * 20_000)
    for (const { prompt, outputs, answer } of story.turns) {
      part(message({ role: 'user' }), { type: 'text', text: prompt })
      const owner = message({ role: 'assistant', providerID: 'anthropic', modelID: 'claude-sonnet-4-5' })
      part(owner, { type: 'step-start' })
      for (const output of outputs) {
        const input = { command: `make step-${count}` }
        const time = { start: now(), end: now() }
        const state = { status: 'completed', input, output, title: 'make', metadata: {}, time }
        part(owner, { type: 'tool', tool: 'bash', callID: `call_${story.id}_${count}`, state })
      }
      part(owner, { type: 'text', text: answer, time: { start: now(), end: now() } })
      const tokens = { input: 40_000, output: 600, reasoning: 0, cache: { read: 0, write: 0 } }
      part(owner, { type: 'step-finish', reason: 'stop', cost: 0.13, tokens })
    }
  }
  db.exec('commit')
  db.close()
  return bytes
}
