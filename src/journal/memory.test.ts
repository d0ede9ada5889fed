import { describeJournal } from './journal.contract.ts'
import { createMemoryJournal, createMemoryStore } from './memory.ts'
import { describeTwoHandles } from './two-handles.contract.ts'

describeJournal('memory', async bell => createMemoryJournal(bell))

describeTwoHandles('memory', bell => {
  const store = createMemoryStore()
  return [createMemoryJournal(bell, Date.now, store), createMemoryJournal(bell, Date.now, store)]
})
