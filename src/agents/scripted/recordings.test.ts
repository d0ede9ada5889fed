import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import type { ApprovalId, PromptId } from '../../protocol/ids.ts'
import type { Answer, Connection } from '../agent.ts'
import { rawBytes } from '../kit/raw-bytes.ts'
import { scripted } from './index.ts'

/** The prompts of a recording, and what the person did. */
interface Scenario {
  readonly prompts: readonly string[]
  readonly script?: Json
  readonly answer?: Partial<Answer>
  /** Interrupts when a line contains this text. */
  readonly interruptAt?: string
  readonly resume?: string
}

const ask = (prompt: string, more: Omit<Scenario, 'prompts'> = {}): Scenario => ({
  prompts: [prompt],
  ...more,
})
const say = (text: string): Json => ({ type: 'text', text })

const scenarios: Readonly<Record<string, Scenario>> = {
  hello: ask('Good morning'),
  thinking: ask('Show me thinking'),
  tools: ask('Show me tools'),
  approval: ask('Show me an approval'),
  'approval-changed': ask('Show me an approval', { answer: { input: { command: 'ls build' } } }),
  'approval-denied': ask('Show me an approval', { answer: { approved: false, reason: 'Not today.' } }),
  question: ask('Ask me a question', { answer: { input: 'green' } }),
  subagent: ask('Send a subagent'),
  image: ask('Show me an image'),
  todos: ask('Show me todos'),
  retraction: ask('Show me a retraction'),
  markdown: ask('Show me markdown'),
  edits: ask('Show me edits'),
  command: ask('Show me a command'),
  search: ask('Show me a search'),
  'reading-twice': ask('Show me reading twice'),
  compaction: ask('Show me a compaction'),
  warning: ask('Show me a warning'),
  error: ask('Show me an error'),
  'hang-interrupted': ask('Show me a hang', { interruptAt: '"me "' }),
  crash: ask('Show me a crash'),
  everything: ask('Show me everything', { answer: { input: { command: 'ls' } } }),
  'two-prompts': { prompts: ['Show me todos', 'And thinking'], resume: 'scripted-earlier' },
  'long-output': ask('', { script: [{ type: 'long-output', length: 70_000 }] }),
  'repeated-thinking': ask('', {
    script: [{ type: 'thinking', text: 'Let me see.', repeated: true }, say('Seen.')],
  }),
  'late-result': {
    prompts: ['one', 'two'],
    script: {
      answers: [
        [
          say('Started. '),
          { type: 'tools', calls: [{ tool: 'Bash', input: {}, output: 'ready', late: true }] },
        ],
        [say('Next.')],
      ],
    },
  },
  'subagent-interrupted': ask('', {
    interruptAt: '"deep "',
    script: [
      {
        type: 'subagent',
        agent: 'outer',
        description: 'Go down',
        steps: [
          say('Going.'),
          {
            type: 'subagent',
            agent: 'inner',
            description: 'Go deeper',
            steps: [{ type: 'text', text: 'Very deep ', unfinished: true }, { type: 'hang' }],
          },
        ],
      },
    ],
  }),
  'subagent-failed': ask('', {
    script: [
      {
        type: 'subagent',
        agent: 'clumsy',
        description: 'Fail',
        steps: [{ type: 'error', kind: 'lost', message: 'It got lost.' }],
      },
      say('It failed, I go on.'),
    ],
  }),
  'unknown-calls': ask('', {
    script: [
      { type: 'raw', text: '{"type":"result","call":"lost-1","output":"from nowhere"}' },
      { type: 'raw', text: '{"type":"failure","call":"lost-2","error":"from nowhere"}' },
      { type: 'raw', text: '{"type":"text","thread":"lost-3","key":"k","delta":"Who am I?"}' },
      say('On we go.'),
    ],
  }),
  garbage: ask('', {
    script: [
      say('Watch out. '),
      { type: 'raw', text: 'Segmentation fault (core dumped)' },
      { type: 'raw', text: '[1,2,3]' },
      { type: 'raw', text: '{"type":"text","key":"k"}' },
      { type: 'raw', text: '{"type":"brand-new","field":{"deep":[1]}}' },
      { type: 'raw', text: '{"__proto__":{"polluted":true},"constructor":1}' },
      {
        type: 'raw',
        text: '{"type":"notice","level":"info","code":"odd","message":"lone \\ud800 surrogate"}\r',
      },
      { type: 'raw', text: '{"type":"heartbeat","text":"\u2028\u2029"}' },
      { type: 'raw', text: '   ' },
      { type: 'raw', base64: Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]).toString('base64') },
      { type: 'raw', text: '['.repeat(3_000) },
      say('Still here.'),
    ],
  }),
  'cut-line': ask('', {
    script: [
      say('Then. '),
      { type: 'raw', text: '{"type":"text","key":"k","del', open: true },
      { type: 'crash' },
    ],
  }),
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-scripted-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Plays a scenario with the real process, and returns the bytes that it wrote. */
async function record({ prompts, script, answer, interruptAt, resume }: Scenario): Promise<Buffer> {
  const dataFolder = await newFolder()
  await using connection = await scripted.connect({
    cwd: '/',
    resume: resume ?? null,
    options: { seed: 'recorded', pace: 0, ...(script === undefined ? {} : { script }) },
    dataFolder,
    record: () => Promise.resolve(),
    signal: AbortSignal.timeout(80_000),
  })
  const waiting = [...prompts]
  const next = async () => {
    const prompt = waiting.shift()
    if (prompt === undefined) return false
    await connection.prompt(`prompt-${waiting.length}` as PromptId, [{ type: 'text', text: prompt }])
    return true
  }
  const lines: Buffer[] = []
  await next()
  for await (const raw of connection.messages) {
    lines.push(await buffer(rawBytes(raw, dataFolder)))
    await react(connection, raw.raw, answer, interruptAt)
    if (raw.raw.startsWith('{"type":"done"') && !(await next())) break
  }
  return Buffer.from(lines.map(line => `${line.toString('latin1')}\n`).join(''), 'latin1')
}

async function react(
  connection: Connection,
  line: string,
  answer: Partial<Answer> | undefined,
  interruptAt: string | undefined,
): Promise<void> {
  const approval = /^\{"type":"ask".*"approval":"([^"]+)"/.exec(line)?.[1]
  if (approval !== undefined)
    await connection.answer(approval as ApprovalId, {
      approved: true,
      reason: null,
      always: false,
      ...answer,
    })
  if (interruptAt !== undefined && line.includes(interruptAt)) await connection.interrupt()
}

/** The only thing that differs from run to run. */
const timeless = (bytes: Buffer) => bytes.toString('latin1').replaceAll(/"duration":\d+/g, '"duration":0')

const folder = fileURLToPath(new URL('./recordings/', import.meta.url))

describe('recordings of the scripted agent', () => {
  it.each(Object.entries(scenarios))('[A11] %s is the output of the process', async (name, scenario) => {
    const file = join(folder, `${name}.jsonl`)
    const output = timeless(await record(scenario))
    if (process.env['DRAGOMAN_RECORD'] === '1') await writeFile(file, output, 'latin1')
    expect(output).toBe((await readFile(file)).toString('latin1'))
  })

  it('[A11] every recording has a scenario', async () => {
    const names = (await readdir(folder)).map(name => name.replace('.jsonl', ''))
    expect(names.toSorted()).toEqual(Object.keys(scenarios).toSorted())
  })
})
