import type { ReactElement } from 'react'
import { costWords, type Costs } from 'dragoman/client/usage'
import { dollars } from '../ui/amounts.ts'
import { Note } from './note.tsx'

/** Says how much of a cost is estimated; nothing where all of it was reported. */
export const EstimateNote = ({ costs }: { readonly costs: Costs }): ReactElement | null =>
  costs.estimated === null ? null : <Note>{costWords(costs, dollars)}.</Note>
