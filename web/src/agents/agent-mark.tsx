import type { CSSProperties, ReactElement } from 'react'
import { inertString } from '../safety/inert-text.ts'
import styles from './agent-mark.module.css'

/** The colors of agents; `tokens.css` has a value for each. */
type Hue = 'clay' | 'teal' | 'blue' | 'violet' | 'rose' | 'moss' | 'slate'

/** Our own marks: letters on a color. Trademarks are not ours to use. */
const marks: Readonly<Record<string, { readonly letters: string; readonly hue: Hue }>> = {
  'claude-code': { letters: 'Cc', hue: 'clay' },
  codex: { letters: 'Cx', hue: 'teal' },
  opencode: { letters: 'Oc', hue: 'violet' },
  'gemini-cli': { letters: 'Ge', hue: 'blue' },
  anthropic: { letters: 'An', hue: 'clay' },
  openai: { letters: 'Oa', hue: 'teal' },
  google: { letters: 'Go', hue: 'blue' },
  'openai-compatible': { letters: 'Lo', hue: 'moss' },
  scripted: { letters: '▶', hue: 'slate' },
  legacy: { letters: '…', hue: 'slate' },
}

const otherHues: readonly Hue[] = ['rose', 'moss', 'violet', 'teal', 'blue', 'clay']

/** The mark of an agent. An unknown one always has the same letters and color, too. */
export function markOf(agent: string): { readonly letters: string; readonly hue: Hue } {
  if (Object.hasOwn(marks, agent)) return marks[agent] ?? { letters: '?', hue: 'slate' }
  const [first = '?', second = ''] = agent.match(/[\p{L}\p{N}]/gu) ?? []
  const sum = Array.from(agent, sign => sign.codePointAt(0) ?? 0).reduce((all, each) => all + each, 0)
  return { letters: first.toUpperCase() + second, hue: otherHues[sum % otherHues.length] ?? 'slate' }
}

/** A small mark for an agent; its name is for screen readers and the tooltip. */
export function AgentMark({
  agent,
  title,
}: {
  readonly agent: string
  /** What the agent is called. */
  readonly title: string
}): ReactElement {
  const { letters, hue } = markOf(agent)
  const name = inertString(title)
  return (
    <span
      className={styles['mark']}
      style={{ '--hue': `var(--agent-${hue})`, '--wash': `var(--agent-${hue}-wash)` } as CSSProperties}
      role="img"
      aria-label={name}
      title={name}
    >
      <span aria-hidden>{letters}</span>
    </span>
  )
}
