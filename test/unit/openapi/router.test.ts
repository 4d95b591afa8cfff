import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { asString, listMember, objectMember } from '../../../codegen/json.js';
import {
  EncryptionSuite,
  FailureReason,
  PartyRole,
  RouterService,
  SessionEventType,
  SessionState,
  ShareType,
} from '../../../generated/proto/router/v1/router_pb.js';
import * as router from '../../../generated/proto/router/v1/router_pb.js';
import { publishedContract, root } from '../../support/openapi/published-contract.js';

const PAIRS = [
  ['ShareType', ShareType],
  ['PartyRole', PartyRole],
  ['SigningSessionState', SessionState],
  ['SigningSessionEventType', SessionEventType],
  ['SigningFailureReason', FailureReason],
  ['EncryptionSuite', EncryptionSuite],
] as const;

const names = (values: object): readonly string[] =>
  Object.keys(values)
    .filter((name) => /^[A-Z]/.test(name) && name !== 'UNSPECIFIED')
    .map((name) => name.toLowerCase().replaceAll('_', '-'))
    .sort();

describe('the router and the document', () => {
  for (const [schema, values] of PAIRS) {
    it(`mean the same by ${schema}`, async () => {
      const { document } = await publishedContract();
      const schemas = objectMember(objectMember(document, 'components', 'document'), 'schemas', 'components');
      const words = listMember(objectMember(schemas, schema, schema), 'enum', schema).map((word) =>
        asString(word, schema).toLowerCase().replaceAll('_', '-'),
      );
      expect([...words].sort()).to.deep.equal(names(values));
    });
  }

  it('export the name ShareTypeDelegate, in the client and in the module of the router', async () => {
    const client: unknown = await import(pathToFileURL(join(root, 'generated/client/index.ts')).href);
    expect(client).to.include({ ShareTypeDelegate: 'delegate', ShareTypeBackup: 'backup' });
    expect(router).to.include({ ShareTypeDelegate: ShareType.DELEGATE, ShareTypeBackup: ShareType.BACKUP });
  });

  it('have the number 4 for the share of a delegate', () => {
    expect(ShareType.DELEGATE).to.equal(4);
  });

  it('have the methods of the first version, and those that were added', () => {
    expect(RouterService.typeName).to.equal('router.v1.RouterService');
    expect(RouterService.methods.map(({ name, methodKind }) => [name, methodKind])).to.deep.equal([
      ['RegisterParty', 'unary'],
      ['Heartbeat', 'unary'],
      ['SubscribeSessionEvents', 'server_streaming'],
      ['JoinSession', 'unary'],
      ['SendMessages', 'unary'],
      ['SubscribeMessages', 'server_streaming'],
      ['SubscribeMailbox', 'server_streaming'],
      ['AckMessages', 'unary'],
      ['ReportResult', 'unary'],
    ]);
  });
});
