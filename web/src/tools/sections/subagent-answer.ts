import type { Json } from 'dragoman'
import { asFields, textIn, textOfOutput } from 'dragoman/client/work-log'

const resultStart = '<task_result>'

/** What a subagent answered, without what its agent writes around it for the model's eyes. */
export function subagentAnswer(output: Json | undefined): string {
  const states = Object.values(asFields(asFields(output)['agentsStates']))
  if (states.length > 0) return states.flatMap(state => textIn(asFields(state), 'message') ?? []).join('\n\n')
  return unframed(textOfOutput(output))
}

function unframed(text: string): string {
  const start = text.indexOf(resultStart)
  const end = start === -1 ? -1 : text.indexOf('</task_result>', start)
  if (end !== -1)
    return text
      .slice(start + resultStart.length, end)
      .replace(/^\n/, '')
      .replace(/\n$/, '')
  return withoutUsage(text)
    .replace(/^\s*<tools-used-before-summary>[\s\S]*?<\/tools-used-before-summary>\s*/, '')
    .replace(/^\[Subagent hand-back\][^\n]*The report follows:\n/, '')
    .replace(/(?:^|\n)agentId: \S+ \(use [^\n]*\)(?=\n|$)/, '')
    .replaceAll(/^ {2}/gm, '')
    .trim()
}

/** Agents end an answer with what it cost. */
function withoutUsage(text: string): string {
  const start = text.indexOf('<usage>')
  return start !== -1 && text.trimEnd().endsWith('</usage>') ? text.slice(0, start) : text
}
