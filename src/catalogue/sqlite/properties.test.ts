import { describeApprovals } from '../approvals.contract.ts'
import { describeMessages } from '../messages.contract.ts'
import { describeUsage } from '../usage.contract.ts'
import { describeWork } from '../work.contract.ts'
import { createCatalogue } from './sqlite-catalogue.fixture.ts'

const open = async () => createCatalogue()

describeApprovals('SQLite', open)
describeMessages('SQLite', open)
describeUsage('SQLite', open)
describeWork('SQLite', open)
