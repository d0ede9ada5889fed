import type { ListedApproval } from 'dragoman/client'
import type { Tone } from '../ui/badge.tsx'

/** The color of each answer; the label says the same. */
export const statusTones: Readonly<Record<ListedApproval['status'], Tone>> = {
  pending: 'warn',
  granted: 'good',
  denied: 'bad',
  lapsed: 'neutral',
}
