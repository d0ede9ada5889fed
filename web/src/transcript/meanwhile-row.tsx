import type { ReactElement } from 'react'
import { PromptBubble } from './prompt-bubble.tsx'
import styles from './prompt-row.module.css'
import type { RowOf } from './row.ts'

/** What a person said while the agent was at work, and the agent took into its answer. */
export const MeanwhileRow = ({ row: { key, words } }: { readonly row: RowOf<'meanwhile'> }): ReactElement => (
  <article className={styles['prompt']} aria-label="You, while it worked">
    <PromptBubble name={key} parts={[{ type: 'text', text: words }]} />
  </article>
)
