import { expect } from 'chai';
import { readContract } from '../../support/contract-check/document.js';
import { runContract } from '../../support/contract-check/run.js';
import {
  FAULTS,
  FINDERS,
  SHOP_DOCUMENT,
  SHOP_TOKEN,
  startShop,
  type ShopServer,
} from '../../support/contract-check/shop-server.js';

describe('generated requests against a document', function () {
  this.timeout(60_000);
  let shop: ShopServer;
  afterEach(() => shop.stop());

  for (const fault of FAULTS)
    it(`find what is planted: ${fault}`, async () => {
      shop = await startShop(fault);
      const { disagreements } = await runContract(readContract(SHOP_DOCUMENT, shop.url), {
        ...{ requests: 1500, seconds: 60, seed: 1, token: SHOP_TOKEN, until: FINDERS[fault] },
      });
      expect(disagreements.map(({ check }) => check)).to.include(FINDERS[fault]);
    });
});
