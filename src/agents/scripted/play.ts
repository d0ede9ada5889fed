import type { Json } from '../../protocol/json.ts'
import type { AgentLine } from './messages.ts'
import { newsOf, type News } from './news.ts'
import type { Step, StepOf } from './script.ts'
import { smallImage } from './small-image.ts'
import type { Stage } from './stage.ts'

/** What went wrong in an answer: a kind for programs, a sentence for people. */
export interface Failure {
  readonly kind: string
  readonly message: string
}

type Content = Extract<AgentLine, { readonly type: 'message' }>['content'][number]

/** The state of the main agent or of one subagent while it plays its steps. */
interface Actor {
  readonly stage: Stage
  readonly thread: { readonly thread?: string }
  /** The content since the model's last complete message. */
  content: Content[]
}

/** Plays the steps of an answer. Resolves with its failure, if it has one; rejects when interrupted. */
export async function play(steps: readonly Step[], stage: Stage, thread?: string): Promise<Failure | null> {
  const actor: Actor = { stage, thread: thread === undefined ? {} : { thread }, content: [] }
  for (const step of steps) {
    await stage.pause(step.delay ?? 0)
    if (step.type === 'error') return { kind: step.kind, message: step.message }
    const perform = performances[step.type] as (actor: Actor, step: Step) => Promise<void>
    await perform(actor, step)
  }
  if (actor.content.length > 0) await endStep(actor)
  return null
}

type Performances = {
  readonly [Type in Exclude<Step['type'], 'error'>]: (actor: Actor, step: StepOf<Type>) => Promise<void>
}

const performances: Performances = {
  async text(actor, { text, every, unfinished }) {
    const key = await streamText(actor, 'text', text, every)
    if (unfinished !== true) await endPiece(actor, key)
  },
  thinking: think,
  tools: useTools,
  approval: askFirst,
  question: askPerson,
  subagent: delegate,
  async image({ stage, thread }, { url, mediaType }) {
    const image = url === undefined ? smallImage : { url, mediaType: mediaType ?? smallImage.mediaType }
    await stage.writeLine({ type: 'image', ...thread, ...image })
  },
  todos: ({ stage, thread }, { todos }) => stage.writeLine({ type: 'todos', ...thread, todos }),
  async 'long-output'(actor, { length }) {
    const output = 'A long output has many lines.\n'.repeat(Math.ceil(length / 30)).slice(0, length)
    await useTools(actor, { calls: [{ tool: 'Read', input: { path: 'long.txt' }, output }] })
  },
  async retraction(actor, { text, instead, every, stands = 0 }) {
    const key = await streamText(actor, 'text', text, every)
    await actor.stage.pause(stands)
    forget(actor, key)
    await actor.stage.writeLine({ type: 'retract', ...actor.thread, keys: [key] })
    await speakWhole(actor, 'text', instead, every)
  },
  notice: ({ stage, thread }, { level, code, message }) =>
    stage.writeLine({ type: 'notice', ...thread, level, code, message }),
  hang: ({ stage }) => stage.hang(),
  crash: ({ stage }, { code }) => stage.crash(code ?? 1),
  raw: writeRaw,
  log: ({ stage }, { text }) => Promise.resolve(stage.log(text)),
}

async function streamText(
  { stage, thread, content }: Actor,
  type: 'text' | 'thinking',
  text: string,
  every = 0,
): Promise<string> {
  const key = stage.newName(type)
  content.push({ type, key, text })
  stage.tally.wrote(text)
  for (const delta of text.match(/^\s*\S+\s*|\S+\s*/g) ?? [text]) {
    await stage.writeLine({ type, ...thread, key, delta })
    await stage.pause(every)
  }
  return key
}

async function speakWhole(actor: Actor, type: 'text' | 'thinking', text: string, every = 0): Promise<string> {
  const key = await streamText(actor, type, text, every)
  await endPiece(actor, key)
  return key
}

async function endPiece({ stage, thread }: Actor, key: string): Promise<void> {
  await stage.writeLine({ type: 'end', ...thread, key })
}

/** Leaves a piece out of the complete message. */
function forget(actor: Actor, key: string): void {
  actor.content = actor.content.filter(each => each.type === 'call' || each.key !== key)
}

async function think(actor: Actor, { text, every, repeated }: StepOf<'thinking'>): Promise<void> {
  const key = await speakWhole(actor, 'thinking', text, every)
  if (repeated !== true) forget(actor, key)
}

/** Ends a request to the model: the complete message again, the usage, and a new step. */
async function endStep(actor: Actor): Promise<void> {
  await sayWhole(actor)
  actor.stage.tally.asked()
  await actor.stage.writeLine({ type: 'step-end', ...actor.thread, ...actor.stage.tally.sum() })
}

async function sayWhole(actor: Actor): Promise<void> {
  const { stage, thread, content } = actor
  actor.content = []
  if (content.length > 0) await stage.writeLine({ type: 'message', ...thread, content })
}

async function makeCall({ stage, thread, content }: Actor, tool: string, input: Json): Promise<string> {
  const call = stage.newName('call')
  await stage.writeLine({ type: 'call', ...thread, call, tool })
  const text = JSON.stringify(input)
  stage.tally.wrote(text)
  const piece = Math.max(leastInput, Math.ceil(text.length / mostInputs))
  for (let at = 0; at < text.length; at += piece) {
    await stage.writeLine({ type: 'call-input', ...thread, call, delta: text.slice(at, at + piece) })
    await stage.pause(inputPause)
  }
  await stage.writeLine({ type: 'call-ready', ...thread, call, tool, input })
  content.push({ type: 'call', call, tool, input })
  return call
}

/** How many characters of an input are streamed at once, and into how many pieces a long one is cut. */
const leastInput = 16
const mostInputs = 20
const inputPause = 15

async function useTools(actor: Actor, { calls }: Pick<StepOf<'tools'>, 'calls'>): Promise<void> {
  const { stage, thread } = actor
  const news: News[] = []
  for (const each of calls) news.push(...newsOf(each, await makeCall(actor, each.tool, each.input), thread))
  await sayWhole(actor)
  let passed = 0
  for (const { line, at, late } of news.toSorted((a, b) => a.at - b.at)) {
    await stage.pause(at - passed)
    passed = at
    if (late) stage.late.push(line)
    else await stage.writeLine(line)
  }
  await endStep(actor)
}

async function askFirst(actor: Actor, { tool, input, output }: StepOf<'approval'>): Promise<void> {
  const { stage, thread } = actor
  const call = await makeCall(actor, tool, input)
  await sayWhole(actor)
  const reply = stage.allowed.has(tool) ? null : await ask(actor, call)
  if (reply?.approved === false) {
    await stage.writeLine({ type: 'failure', ...thread, call, error: reply.reason ?? 'Denied.' })
    await endStep(actor)
    return void (await speakWhole(actor, 'text', `All right, I will not use ${tool} for this. `, wordPause))
  }
  if (reply?.always === true) stage.allowed.add(tool)
  const used = reply?.input ?? input
  if (reply?.input !== undefined)
    await stage.writeLine({ type: 'call-ready', ...thread, call, tool, input: used })
  await stage.writeLine({ type: 'result', ...thread, call, output: { input: used, output } })
  await endStep(actor)
}

const wordPause = 25

async function askPerson(actor: Actor, { question, options }: StepOf<'question'>): Promise<void> {
  const { stage, thread } = actor
  const call = await makeCall(actor, 'AskUser', { question, options })
  await sayWhole(actor)
  const { approved, reason, input = null } = await ask(actor, call)
  await stage.writeLine(
    approved
      ? { type: 'result', ...thread, call, output: { answers: input } }
      : { type: 'failure', ...thread, call, error: reason ?? 'No answer.' },
  )
  await endStep(actor)
}

async function ask({ stage, thread }: Actor, call: string) {
  const approval = stage.newName('approval')
  await stage.writeLine({ type: 'ask', ...thread, call, approval })
  return await stage.answer(approval)
}

async function delegate(actor: Actor, { agent, description, steps }: StepOf<'subagent'>): Promise<void> {
  const { stage, thread } = actor
  const call = await makeCall(actor, 'Task', { agent, description })
  await sayWhole(actor)
  await stage.writeLine({ type: 'subagent', ...thread, call, agent, description })
  const before = stage.tally.sum()
  const failure = await play(steps, stage, call)
  const after = stage.tally.sum()
  await stage.writeLine({
    type: 'subagent-end',
    ...thread,
    call,
    status: failure ? 'failed' : 'completed',
    tokens: after.tokens.output - before.tokens.output,
    cost: Number((after.cost - before.cost).toFixed(6)),
  })
  await stage.writeLine(
    failure
      ? { type: 'failure', ...thread, call, error: failure.message }
      : { type: 'result', ...thread, call, output: { done: description } },
  )
  await endStep(actor)
}

const block = 64 * 1024

async function writeRaw(
  { stage }: Actor,
  { text = '', base64, times = 1, open }: StepOf<'raw'>,
): Promise<void> {
  const unit = base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64')
  const perBlock = Math.max(1, Math.floor(block / Math.max(1, unit.length)))
  for (let left = times; left > 0; left -= perBlock)
    await stage.write(Buffer.concat(Array.from({ length: Math.min(left, perBlock) }, () => unit)))
  if (open !== true) await stage.write(Buffer.from('\n'))
}
