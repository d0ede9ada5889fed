import { readWhole } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import type { Context } from '../sessions-api/sessions-api.ts'
import { openSessionsApi } from '../sessions-api/open-sessions-api.ts'
import { requireFolder } from '../sessions-api/require-folder.ts'
import { findSession } from '../find-session.ts'
import type { Shell } from '../shell.ts'
import { counted, countText } from '../terminal/amounts.ts'
import { inert, inertLine } from '../terminal/inert.ts'
import { jsonLine } from '../terminal/json-line.ts'

const page = 1000

/** Shows the context that a model gets. */
export const context = defineCommand({
  name: 'context',
  operands: ['SESSION'],
  about: `
Shows what is sent to the model: every part of the history that was shortened or left out, the rule that did it,
the reason, and the tokens saved. With --part, shows the original text of one part. Use the part's full name, or
the short name that the model sees. A unique prefix of the session ID is enough.
If the agent builds its own requests, this shows what would be sent (preview only).`,
  flags: {
    step: { type: 'string', value: 'N', help: 'the request with this number (default: the last one)' },
    part: { type: 'string', value: 'NAME', help: 'only the original text of this part' },
    ...folderFlags,
  },
  async run({ flags, operands }, shell) {
    const step = readWhole('context', 'step', flags.step)
    const { part, json = false } = flags
    const configuration = readConfiguration(flags, shell)
    requireFolder(configuration)
    await using api = await openSessionsApi('context', configuration, shell)
    const session = await findSession(api, operands[0] ?? '')
    const filter = { limit: page, ...(step !== undefined && { step }), ...(part !== undefined && { part }) }
    const found = await api.context(session, filter)
    if (json) shell.out.write(jsonLine(found))
    else shell.out.write(found.recalled === null ? contextText(found, shell) : wordsOf(found.recalled.text))
    await shell.out.drained()
    return 0
  },
})

const wordsOf = (text: string) => `${inert(text).replace(/\n$/, '')}\n`

function contextText(found: Context, { out }: Shell): string {
  const { agent, effective, explanation, source, policy, request, saved, covered, total } = found
  const { style } = out
  const { before, after } = request.tokens
  const which = source === 'sent' ? `request ${request.step}` : style.yellow('preview of the next request')
  const earlier = covered.earlier === 0 ? '' : `, the newest of ${covered.messages + covered.earlier}`
  const about = [
    `${inertLine(agent)} · ${effective}: ${explanation}`,
    `${which}: ${counted(covered.messages, 'message')}${earlier}, ${tokensText(before, after)} with policy ${inertLine(policy)}`,
    `saved so far: ${source === 'sent' ? savedText(saved) : 'nothing'}`,
  ]
  if (total === 0) return `${about.join('\n')}\nNothing trimmed: the model sees everything.\n`
  const more = total > found.parts.length ? style.dim(`Showing the newest ${page} of ${total}.\n`) : ''
  return `${about.join('\n')}\n\n${found.parts.map(part => partText(part, out)).join('')}${more}`
}

/** How many tokens are sent, and the change from the original. */
export function tokensText(before: number, after: number): string {
  if (before === after) return `${countText(before)} tokens`
  const percent = Math.round((100 * Math.abs(before - after)) / before)
  const change = `${after < before ? '−' : '+'}${percent === 0 ? '<1' : percent} %`
  return `${countText(after)} tokens instead of ${countText(before)} (${change})`
}

/** The tokens saved in all requests. */
export const savedText = ({ tokens, before, requests }: Omit<Context['saved'], 'after'>): string =>
  tokens > 0
    ? `${countText(tokens)} of ${countText(before)} tokens in ${counted(requests, 'request')}`
    : `nothing in ${counted(requests, 'request')}`

/** One line each, of any length, so that the reason is not cut. */
function partText(part: Context['parts'][number], { style }: Shell['out']): string {
  const { as, tokens, rule, why, recall, manipulation } = part
  const size = tokens === null ? '' : `${countText(tokens.before)} → ${countText(tokens.after)}`
  const back = manipulation === null ? '' : ` · undo ${inertLine(manipulation)}`
  const reason = `${inertLine(rule)}: ${inertLine(why)}`
  return `${as.padEnd(12)} ${size.padEnd(14)} ${reason}${style.dim(` · recall ${recall}${back}`)}\n`
}
