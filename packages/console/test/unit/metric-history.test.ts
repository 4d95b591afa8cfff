import { expect } from 'chai';
import { sampleOf } from '../../server/metric-history.js';

const TEXT = `# HELP dbr_http_request_duration_seconds Durations.
# TYPE dbr_http_request_duration_seconds histogram
dbr_http_request_duration_seconds_bucket{le="0.005",area="data-api",status="200"} 3
dbr_http_request_duration_seconds_bucket{le="+Inf",area="data-api",status="200"} 4
dbr_http_request_duration_seconds_count{area="data-api",status="200"} 4
dbr_http_request_duration_seconds_bucket{le="0.005",area="data-api",status="503"} 0
dbr_http_request_duration_seconds_bucket{le="+Inf",area="data-api",status="503"} 2
dbr_http_request_duration_seconds_count{area="data-api",status="503"} 2
dbr_db_pool_size 7
dbr_replica_lag_seconds{replica="a"} +Inf
dbr_secret_of_another_kind 1
process_resident_memory_bytes NaN
`;

describe('a sample of metrics', () => {
  it('sums the kept ones over their labels, and counts failed requests', () => {
    expect(sampleOf(TEXT, 5)).to.deep.equal({
      at: 5,
      values: { dbr_http_request_duration_seconds_count: 6, errors: 2, dbr_db_pool_size: 7 },
      latency: { '0.005': 3, '+Inf': 6 },
    });
  });
});
