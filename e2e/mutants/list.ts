import { approvalsMutants } from './approvals.ts'
import { concurrencyMutants } from './concurrency.ts'
import { contextMutants } from './context.ts'
import { moneyMutants } from './money.ts'
import type { Mutant } from './mutant.ts'
import { translationMutants } from './translation.ts'
import { trustMutants } from './trust.ts'
import { viewsMutants } from './views.ts'

/** All defects that are planted, one at a time. */
export const mutants: readonly Mutant[] = [
  ...concurrencyMutants,
  ...viewsMutants,
  ...moneyMutants,
  ...approvalsMutants,
  ...translationMutants,
  ...contextMutants,
  ...trustMutants,
]
