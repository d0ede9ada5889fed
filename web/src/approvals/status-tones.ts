import type { ListedApproval } from 'dragoman/client'
import type { Tone } from '../ui/badge.tsx'

/** The colour of each answer; the words tell it, too. */
export const statusTones: Readonly<Record<ListedApproval['status'], Tone>> = {
  pending: 'warn',
  granted: 'good',
  denied: 'bad',
  lapsed: 'neutral',
}
