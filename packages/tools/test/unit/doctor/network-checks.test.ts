import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { createServer as createHttpServer } from 'node:http';
import { fault, ok } from '../../../src/doctor/check.js';
import { checkBus, checkPorts } from '../../../src/doctor/network-checks.js';

const HOST = '127.0.0.1';

describe('the checks of the network', () => {
  const servers: Server[] = [];
  const listening = async (server: Server): Promise<number> => {
    servers.push(server);
    server.listen(0, HOST);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  after(() => {
    for (const server of servers) server.close();
  });

  const port = (number: number, host = HOST) => ({
    ...{ setting: 'server-port', hostSetting: 'server-host', host, port: number },
  });
  const ready = (body: unknown) =>
    listening(
      createHttpServer((_request, response) => {
        response.end(JSON.stringify(body));
      }),
    );

  it('find ports that are taken, and distinguish a running dbr from other processes', async () => {
    const taken = await listening(createServer());
    const where = `${String(taken)} at ${HOST}`;
    const strange = fault(
      'server-port',
      `another process listens on ${where}`,
      'stop that process, or set server-port',
    );
    expect(await checkPorts([port(taken)], null)).to.deep.equal([strange]);
    const own = `http://${HOST}:${String(await ready({ ready: true, parts: {} }))}/ready`;
    expect(await checkPorts([port(taken)], own)).to.deep.equal([
      ok('server-port', `${where} is in use; a dbr runs here`),
    ]);
    const other = `http://${HOST}:${String(await ready({ ready: true }))}/ready`;
    expect(await checkPorts([port(taken)], other)).to.deep.equal([strange]);
    const [, free] = await checkPorts([port(taken), port(0)], null);
    expect(free).to.deep.equal(ok('server-port', '0 takes a free port'));
  });

  it('find addresses that this machine does not have', async () => {
    expect(await checkPorts([port(65_000, '192.0.2.1')], null)).to.deep.equal([
      fault(
        'server-port',
        '65000 at 192.0.2.1 cannot be opened (EADDRNOTAVAIL)',
        'set server-host to an address of this machine',
      ),
    ]);
  });

  const bus = async (greeting: string): Promise<string> => {
    const number = await listening(createServer((socket) => socket.end(greeting)));
    const { outcome, message } = await checkBus(`nats://user:secret@${HOST}:${String(number)}`);
    return `${outcome}: ${message}`;
  };

  it('require JetStream of the bus', async () => {
    expect(await bus('INFO {"version":"2.10","jetstream":true}\r\n')).to.equal(
      `ok: NATS 2.10 at ${HOST}, with JetStream`,
    );
    expect(await bus('INFO {"version":"2.10"}\r\n')).to.equal(
      `fault: NATS 2.10 at ${HOST} runs without JetStream`,
    );
  });

  it('report servers that are no NATS, and addresses that are no URL, without the credentials', async () => {
    expect(await bus('HTTP/1.1 400 Bad Request\r\n')).to.equal(
      'fault: no NATS server answers: the greeting is not that of NATS',
    );
    expect(await bus('')).to.equal('fault: no NATS server answers: the connection was closed');
    const { message } = await checkBus('nats://user:secret@host:port');
    expect(message).to.equal('no NATS server answers: the address is not a URL');
  });
});
