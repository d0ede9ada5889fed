import type { Json } from 'dragoman'
import { asFields, textIn, textOfOutput } from 'dragoman/client/work-log'

/** What a subagent answered, without what its agent writes around it for the model's eyes. */
export function subagentAnswer(output: Json | undefined): string {
  const states = Object.values(asFields(asFields(output)['agentsStates']))
  if (states.length > 0) return states.flatMap(state => textIn(asFields(state), 'message') ?? []).join('\n\n')
  return unframed(textOfOutput(output))
}

function unframed(text: string): string {
  const inside = /<task_result>\n?([\s\S]*?)\n?<\/task_result>/.exec(text)?.[1]
  if (inside !== undefined) return inside
  return text
    .replace(/^\s*<tools-used-before-summary>[\s\S]*?<\/tools-used-before-summary>\s*/, '')
    .replace(/^\[Subagent hand-back\][^\n]*The report follows:\n/, '')
    .replace(/(?:^|\n)agentId: \S+ \(use [^\n]*\)(?=\n|$)/, '')
    .replace(/\n?<usage>[\s\S]*?<\/usage>\s*$/, '')
    .replaceAll(/^ {2}/gm, '')
    .trim()
}
