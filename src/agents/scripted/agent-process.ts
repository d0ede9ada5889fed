import { randomBytes } from 'node:crypto'
import { withoutHandover } from '../../protocol/handover.ts'
import { readLines } from '../kit/line-reader.ts'
import { demoSteps } from './demo.ts'
import type { HostLine } from './host-line.ts'
import { play } from './play.ts'
import { createProcessStage, writeLine, type Waiting } from './process-stage.ts'
import type { Stage } from './stage.ts'

type HostLineOf<Type extends HostLine['type']> = Extract<HostLine, { readonly type: Type }>

let greeting: HostLineOf<'hello'> = { type: 'hello', resume: null, script: null, pace: 1, seed: null }
let prompts = 0
let names = 0
let running: AbortController | null = null
let work: Promise<void> = Promise.resolve()
const chance = randomBytes(4).toString('hex')
const waiting: Waiting = new Map()
const allowed = new Set<string>()

const handlers: { readonly [Type in HostLine['type']]: (line: HostLineOf<Type>) => void } = {
  hello(line) {
    greeting = line
    const session = line.resume ?? `scripted-${line.seed ?? chance}`
    const hello = { type: 'hello', session, version: '1', model: 'scripted-1', cwd: process.cwd() } as const
    work = work.then(() => writeLine(hello))
  },
  prompt(line) {
    work = work.then(() => answer(line))
  },
  answer: ({ approval, ...reply }) => waiting.get(approval)?.(reply),
  interrupt: () => running?.abort(new Error('interrupted')),
}

/** Answers one prompt, from the first line to the last. */
async function answer({ id, parts }: HostLineOf<'prompt'>): Promise<void> {
  const started = performance.now()
  const controller = new AbortController()
  running = controller
  // It ignores the transcript of an earlier conversation.
  const texts = parts.flatMap(part => (part.type === 'text' ? withoutHandover(part.text) || [] : []))
  const text = texts.join('\n')
  const files = parts.filter(part => part.type === 'file').length
  const steps =
    greeting.script?.answers[Math.min(prompts, greeting.script.answers.length - 1)] ??
    demoSteps({ text, files, resumed: greeting.resume !== null && prompts === 0 })
  prompts += 1
  const stage = createProcessStage({
    pace: greeting.pace,
    signal: controller.signal,
    waiting,
    promptLength: text.length,
    allowed,
    newName,
  })
  await writeLine({ type: 'begin', prompt: id })
  const ending = await ended(play(steps, stage), controller.signal)
  await writeLine({
    type: 'done',
    ...ending,
    ...stage.tally.sum(),
    duration: Math.round(performance.now() - started),
  })
  await sayLate(stage)
  running = null
}

async function ended(playing: ReturnType<typeof play>, signal: AbortSignal) {
  try {
    const error = await playing
    return error ? ({ reason: 'failed', error } as const) : ({ reason: 'finished' } as const)
  } catch (error) {
    if (signal.aborted) return { reason: 'interrupted' } as const
    throw error
  }
}

async function sayLate({ late }: Stage): Promise<void> {
  for (const line of late) await writeLine(line)
}

function newName(kind: string): string {
  names += 1
  return `${kind}-${greeting.seed ?? chance}-${names}`
}

for await (const { raw } of readLines(process.stdin, { dataFolder: process.cwd(), limit: Infinity })) {
  const line = JSON.parse(raw) as HostLine
  const react = handlers[line.type] as (line: HostLine) => void
  react(line)
}
// Without a host there is nothing left to do.
process.exit(0)
