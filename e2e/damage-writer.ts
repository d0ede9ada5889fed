import { createBell } from '../src/journal/bell.ts'
import { created, named, said } from '../src/journal/journal.contract.ts'
import { openSqliteJournal } from '../src/journal/sqlite/open-sqlite-journal.ts'

// Fills a data folder, reports it on stdout, and then waits to be killed. Other endings: "stop" stops cleanly, "die" dies by
// itself, "busy" continues to write until it is killed.
const [folder = '', sessions = '0', rounds = '0', ending] = process.argv.slice(2)
const names = Array.from({ length: Number(sessions) }, (_, index) => named(`session-${index + 1}`))
const journal = await openSqliteJournal({ folder, bell: createBell(), checkpointPages: 120 })
for (const name of names) await journal.create(name, [created]).catch(() => undefined)
async function write(round: number): Promise<void> {
  await Promise.all(
    names.map((name, index) =>
      journal.append(name, [said(`word ${round} of ${index}: ${(round * 7919 * (index + 3)).toString(36)}`)]),
    ),
  )
  const resting = names[round % names.length]
  if (resting !== undefined && round % 5 === 0) journal.mayPack(resting)
}
for (let round = 0; round < Number(rounds); round++) await write(round)
if (ending === 'die') process.kill(process.pid, 'SIGKILL')
if (ending === 'stop') await journal[Symbol.asyncDispose]()
process.stdout.write('ready\n')
if (ending === 'busy') for (let round = Number(rounds); ; round++) await write(round)
if (ending !== 'stop') setInterval(() => {}, 1000)
