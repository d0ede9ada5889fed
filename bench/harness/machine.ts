import { statfsSync } from 'node:fs'
import { cpus, release, tmpdir, totalmem } from 'node:os'

const fileSystems: Readonly<Record<number, string>> = {
  0xef53: 'ext4',
  0x9123683e: 'btrfs',
  0x58465342: 'xfs',
  0x2fc12fc1: 'zfs',
}

/** The machine in one line. */
export function describeMachine(): string {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const { type } = statfsSync(tmpdir())
  const disk = fileSystems[type] ?? `file system ${type.toString(16)}`
  const model = cpu?.model.trim() ?? 'unknown processor'
  return `${cpus().length} × ${model}, ${memory} GiB, ${disk}, Linux ${release()}, Node ${process.versions.node}, SQLite ${process.versions['sqlite']}`
}
