import type { WorkResult, WorkSubject } from './work-facts.ts'

/** What a call did to the plan: how far it is, or what became of one line of it. */
export function planSentence(
  { about, plan, parameters, tool }: WorkSubject,
  result: WorkResult | null,
): string {
  const progress = plan ?? result?.plan
  if (progress !== undefined) return `Plan: ${progress.done} of ${progress.total} done`
  const status = parameters['status']
  const task = about === '' ? undefined : /^\d+$/.test(about) ? `#${about}` : about
  if (task === undefined) return /list|read|get/i.test(tool) ? 'Looked at the plan' : 'Changed the plan'
  if (typeof status === 'string')
    return `Plan: ${task.startsWith('#') ? task : `'${task}'`} is ${status.replaceAll('_', ' ')}`
  return /create/i.test(tool) ? `Plan: added ${task}` : `Plan: ${task}`
}
