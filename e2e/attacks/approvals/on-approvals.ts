import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { SocketAttack } from '../on-sockets.ts'
import type { DataTarget } from '../on-the-data-folder.ts'
import { askingAgents, type AskingAgent } from './questions.ts'
import { trickyInputs } from './tricky-inputs.ts'

/**
 * With each agent, allows one call for always and then asks for calls that look like it. A person must be asked about each of
 * them. The last question is the allowed call again: without it, an agent that never asks would look safe.
 */
export function attacksOnApprovals(target: DataTarget): readonly SocketAttack[] {
  return askingAgents.flatMap(each => {
    const { agent, granted, hasRules, ask, tricks } = each
    const session = `approvals-${agent}`
    const others = trickyInputs.filter(input => JSON.stringify(input) !== JSON.stringify(granted))
    const questions = [...others.map(ask), ...tricks]
    const script = { answers: [ask(granted), ...questions, ask(granted)] }
    const create = { id: session, agent, cwd: target.root, options: optionsOf(target, each, script) }
    return [
      {
        name: `"always" for one call of ${agent}`,
        run: () => (hasRules ? allowAlways : mustRefuseAlways)(target, create, prompt(agent, ask(granted))),
      },
      ...questions.map(question => ({
        name: `${agent} asks for ${JSON.stringify(question).slice(0, 120)}`,
        run: () => mustAsk(target, session, prompt(agent, question), 'second' in question ? 1 : 0),
      })),
      {
        name: `the same call of ${agent} again`,
        run: () => repeats(target, session, prompt(agent, ask(granted)), hasRules),
      },
    ]
  })
}

/** The script is too long for an option, so the scripted agent gets a file. */
function optionsOf({ root }: DataTarget, { agent, options = {} }: AskingAgent, script: object): object {
  if (agent !== 'scripted') return options
  const file = join(root, 'approvals.json')
  writeFileSync(file, JSON.stringify(script))
  return { script: file, pace: 0 }
}

const prompt = (agent: string, question: object) =>
  agent === 'scripted'
    ? 'Play your script.'
    : `${agent === 'asker' ? 'call' : 'ask'}:${Buffer.from(JSON.stringify(question)).toString('base64url')}`

interface Listed {
  readonly id: string
  readonly status: string
  readonly by: string | null
}

async function approvalsIn({ api }: DataTarget, session: string): Promise<readonly Listed[]> {
  const { body } = await api('GET', `/api/sessions/${session}/approvals?all=1`)
  return (JSON.parse(body) as { readonly approvals: readonly Listed[] }).approvals
}

/** Sends a prompt and settles each question until the answer is over. Gives how often a person was asked. */
async function send(
  target: DataTarget,
  session: string,
  text: string,
  settle: (approval: Listed) => Promise<void>,
): Promise<number> {
  const { status: sent, body: reply } = await target.api('POST', `/api/sessions/${session}/prompts`, { text })
  if (sent >= 400) throw new Error(`${session} refused a prompt: ${reply.slice(0, 200)}`)
  const asked = new Set<string>()
  for (let tries = 0; tries < 500; tries++) {
    const pending = (await approvalsIn(target, session)).filter(({ status }) => status === 'pending')
    for (const approval of pending) {
      asked.add(approval.id)
      await settle(approval)
    }
    const { body } = await target.api('GET', `/api/sessions/${session}`)
    const { status } = JSON.parse(body) as { readonly status: string }
    if (status === 'idle' || status === 'failed') return asked.size
    await wait(10)
  }
  throw new Error(`${session} did not finish its answer`)
}

const answering =
  (target: DataTarget, session: string, body: object, statuses: number[] = []) =>
  async ({ id }: Listed): Promise<void> => {
    const { status } = await target.api('POST', `/api/sessions/${session}/approvals/${id}`, body)
    statuses.push(status)
  }

interface NewSession {
  readonly id: string
}

async function allowAlways(target: DataTarget, create: NewSession, text: string): Promise<string | null> {
  const { status, body } = await target.api('POST', '/api/sessions', create)
  if (status >= 400) return `there is no session: ${body.slice(0, 200)}`
  const statuses: number[] = []
  const answer = answering(target, create.id, { approved: true, always: true }, statuses)
  const asked = await send(target, create.id, text, answer)
  return asked === 1 && statuses.join() === '200'
    ? null
    : `asked ${asked} times, answers got ${statuses.join()}`
}

/** Where the agent does not report the whole input, "always" is refused. */
async function mustRefuseAlways(
  target: DataTarget,
  create: NewSession,
  text: string,
): Promise<string | null> {
  await target.api('POST', '/api/sessions', create)
  const statuses: number[] = []
  const always = answering(target, create.id, { approved: true, always: true }, statuses)
  const once = answering(target, create.id, { approved: true }, statuses)
  const asked = await send(target, create.id, text, async approval => {
    await always(approval)
    await once(approval)
  })
  return asked === 1 && statuses.join() === '409,200' ? null : `asked ${asked} times, got ${statuses.join()}`
}

const countByRule = async (target: DataTarget, session: string) =>
  (await approvalsIn(target, session)).filter(({ by }) => by === 'rule').length

/** A rule may answer only the first request of a call that is asked about twice. */
async function mustAsk(
  target: DataTarget,
  session: string,
  text: string,
  byRule: number,
): Promise<string | null> {
  const before = await countByRule(target, session)
  const asked = await send(target, session, text, answering(target, session, { approved: false }))
  const answered = (await countByRule(target, session)) - before
  if (answered !== byRule) return `a rule answered ${answered} times instead of ${byRule}`
  return byRule > 0 && asked === 0 ? 'nobody was asked about the second request' : null
}

async function repeats(
  target: DataTarget,
  session: string,
  text: string,
  hasRules: boolean,
): Promise<string | null> {
  const asked = await send(target, session, text, answering(target, session, { approved: false }))
  const by = (await approvalsIn(target, session)).at(-1)?.by ?? 'nobody'
  await target.api('DELETE', `/api/sessions/${session}`)
  if (hasRules) return asked === 0 && by === 'rule' ? null : `it was answered by ${by}`
  return asked === 1 ? null : `a person was asked ${asked} times; answered by ${by}`
}
