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

/** The main agent, or one subagent, in the middle of its steps. */
interface Voice {
  readonly stage: Stage
  readonly thread: { readonly thread?: string }
  /** What its model has said since its last whole message. */
  content: Content[]
}

/** Carries out the steps of an answer. Gives the failure it ended in, if it did; rejects when interrupted. */
export async function play(steps: readonly Step[], stage: Stage, thread?: string): Promise<Failure | null> {
  const voice: Voice = { stage, thread: thread === undefined ? {} : { thread }, content: [] }
  for (const step of steps) {
    await stage.pause(step.delay ?? 0)
    if (step.type === 'error') return { kind: step.kind, message: step.message }
    const perform = performances[step.type] as (voice: Voice, step: Step) => Promise<void>
    await perform(voice, step)
  }
  if (voice.content.length > 0) await endStep(voice)
  return null
}

type Performances = {
  readonly [Type in Exclude<Step['type'], 'error'>]: (voice: Voice, step: StepOf<Type>) => Promise<void>
}

const performances: Performances = {
  async text(voice, { text, every, unfinished }) {
    const key = await speak(voice, 'text', text, every)
    if (unfinished !== true) await endPiece(voice, key)
  },
  thinking: think,
  tools: useTools,
  approval: askFirst,
  question: askPerson,
  subagent: delegate,
  async image({ stage, thread }, { url, mediaType }) {
    const image = url === undefined ? smallImage : { url, mediaType: mediaType ?? smallImage.mediaType }
    await stage.say({ type: 'image', ...thread, ...image })
  },
  todos: ({ stage, thread }, { todos }) => stage.say({ type: 'todos', ...thread, todos }),
  async 'long-output'(voice, { length }) {
    const output = 'A long output has many lines.\n'.repeat(Math.ceil(length / 30)).slice(0, length)
    await useTools(voice, { calls: [{ tool: 'Read', input: { path: 'long.txt' }, output }] })
  },
  async retraction(voice, { text, instead, every, stands = 0 }) {
    const key = await speak(voice, 'text', text, every)
    await voice.stage.pause(stands)
    forget(voice, key)
    await voice.stage.say({ type: 'retract', ...voice.thread, keys: [key] })
    await speakWhole(voice, 'text', instead, every)
  },
  notice: ({ stage, thread }, { level, code, message }) =>
    stage.say({ type: 'notice', ...thread, level, code, message }),
  hang: ({ stage }) => stage.hang(),
  crash: ({ stage }, { code }) => stage.crash(code ?? 1),
  raw: writeRaw,
  log: ({ stage }, { text }) => Promise.resolve(stage.log(text)),
}

async function speak(
  { stage, thread, content }: Voice,
  type: 'text' | 'thinking',
  text: string,
  every = 0,
): Promise<string> {
  const key = stage.newName(type)
  content.push({ type, key, text })
  stage.tally.wrote(text)
  for (const delta of text.match(/^\s*\S+\s*|\S+\s*/g) ?? [text]) {
    await stage.say({ type, ...thread, key, delta })
    await stage.pause(every)
  }
  return key
}

async function speakWhole(voice: Voice, type: 'text' | 'thinking', text: string, every = 0): Promise<string> {
  const key = await speak(voice, type, text, every)
  await endPiece(voice, key)
  return key
}

async function endPiece({ stage, thread }: Voice, key: string): Promise<void> {
  await stage.say({ type: 'end', ...thread, key })
}

/** Leaves a piece out of the whole message. */
function forget(voice: Voice, key: string): void {
  voice.content = voice.content.filter(each => each.type === 'call' || each.key !== key)
}

async function think(voice: Voice, { text, every, repeated }: StepOf<'thinking'>): Promise<void> {
  const key = await speakWhole(voice, 'thinking', text, every)
  if (repeated !== true) forget(voice, key)
}

/** Ends a request to the model: the whole message once more, what was used, and a new step. */
async function endStep(voice: Voice): Promise<void> {
  await sayWhole(voice)
  voice.stage.tally.asked()
  await voice.stage.say({ type: 'step-end', ...voice.thread, ...voice.stage.tally.sum() })
}

async function sayWhole(voice: Voice): Promise<void> {
  const { stage, thread, content } = voice
  voice.content = []
  if (content.length > 0) await stage.say({ type: 'message', ...thread, content })
}

async function makeCall({ stage, thread, content }: Voice, tool: string, input: Json): Promise<string> {
  const call = stage.newName('call')
  await stage.say({ type: 'call', ...thread, call, tool })
  const text = JSON.stringify(input)
  stage.tally.wrote(text)
  const piece = Math.max(leastInput, Math.ceil(text.length / mostInputs))
  for (let at = 0; at < text.length; at += piece) {
    await stage.say({ type: 'call-input', ...thread, call, delta: text.slice(at, at + piece) })
    await stage.pause(inputPause)
  }
  await stage.say({ type: 'call-ready', ...thread, call, tool, input })
  content.push({ type: 'call', call, tool, input })
  return call
}

/** How many characters of an input come at once, and into how many pieces a long one is cut. */
const leastInput = 16
const mostInputs = 20
const inputPause = 15

async function useTools(voice: Voice, { calls }: Pick<StepOf<'tools'>, 'calls'>): Promise<void> {
  const { stage, thread } = voice
  const news: News[] = []
  for (const each of calls) news.push(...newsOf(each, await makeCall(voice, each.tool, each.input), thread))
  await sayWhole(voice)
  let passed = 0
  for (const { line, at, late } of news.toSorted((a, b) => a.at - b.at)) {
    await stage.pause(at - passed)
    passed = at
    if (late) stage.late.push(line)
    else await stage.say(line)
  }
  await endStep(voice)
}

async function askFirst(voice: Voice, { tool, input, output }: StepOf<'approval'>): Promise<void> {
  const { stage, thread } = voice
  const call = await makeCall(voice, tool, input)
  await sayWhole(voice)
  const reply = stage.allowed.has(tool) ? null : await ask(voice, call)
  if (reply?.approved === false) {
    await stage.say({ type: 'failure', ...thread, call, error: reply.reason ?? 'Denied.' })
    await endStep(voice)
    return void (await speakWhole(voice, 'text', `All right, I leave ${tool} alone. `, wordPause))
  }
  if (reply?.always === true) stage.allowed.add(tool)
  const used = reply?.input ?? input
  if (reply?.input !== undefined) await stage.say({ type: 'call-ready', ...thread, call, tool, input: used })
  await stage.say({ type: 'result', ...thread, call, output: { input: used, output } })
  await endStep(voice)
}

const wordPause = 25

async function askPerson(voice: Voice, { question, options }: StepOf<'question'>): Promise<void> {
  const { stage, thread } = voice
  const call = await makeCall(voice, 'AskUser', { question, options })
  await sayWhole(voice)
  const { approved, reason, input = null } = await ask(voice, call)
  await stage.say(
    approved
      ? { type: 'result', ...thread, call, output: { answers: input } }
      : { type: 'failure', ...thread, call, error: reason ?? 'No answer.' },
  )
  await endStep(voice)
}

async function ask({ stage, thread }: Voice, call: string) {
  const approval = stage.newName('approval')
  await stage.say({ type: 'ask', ...thread, call, approval })
  return await stage.answer(approval)
}

async function delegate(voice: Voice, { agent, description, steps }: StepOf<'subagent'>): Promise<void> {
  const { stage, thread } = voice
  const call = await makeCall(voice, 'Task', { agent, description })
  await sayWhole(voice)
  await stage.say({ type: 'subagent', ...thread, call, agent, description })
  const before = stage.tally.sum()
  const failure = await play(steps, stage, call)
  const after = stage.tally.sum()
  await stage.say({
    type: 'subagent-end',
    ...thread,
    call,
    status: failure ? 'failed' : 'completed',
    tokens: after.tokens.output - before.tokens.output,
    cost: Number((after.cost - before.cost).toFixed(6)),
  })
  await stage.say(
    failure
      ? { type: 'failure', ...thread, call, error: failure.message }
      : { type: 'result', ...thread, call, output: { done: description } },
  )
  await endStep(voice)
}

const block = 64 * 1024

async function writeRaw(
  { stage }: Voice,
  { text = '', base64, times = 1, open }: StepOf<'raw'>,
): Promise<void> {
  const unit = base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64')
  const perBlock = Math.max(1, Math.floor(block / Math.max(1, unit.length)))
  for (let left = times; left > 0; left -= perBlock)
    await stage.write(Buffer.concat(Array.from({ length: Math.min(left, perBlock) }, () => unit)))
  if (open !== true) await stage.write(Buffer.from('\n'))
}
