// Generated from openapi/ by `make generate`. Not edited by hand.
// @ts-nocheck
import type { ErrorObject } from 'ajv';
import module0 from 'ajv-formats/dist/formats.js';
import module1 from 'ajv/dist/runtime/ucs2length.js';

/** True if the value matches the schema; otherwise `errors` has the violations, until the next call. */
export interface Check {
  (value: unknown): boolean;
  errors?: readonly ErrorObject[] | null;
}

const check_listThings_200_application_json = validate52;
const schema19 = {"$id":"check_listThings_200_application_json","type":"array","items":{"$ref":"document#/components/schemas/Thing"}};
const schema21 = {"type":"object","required":["thingId","colour","madeAt"],"properties":{"thingId":{"type":"string","format":"uuid"},"colour":{"$ref":"document#/components/schemas/Colour"},"madeAt":{"type":"string","format":"date-time"},"example":{"type":["string","null"],"maxLength":5}}};
const formats0 = /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const formats2 = module0.fullFormats["date-time"];
const schema22 = {"type":"string","enum":["red","green"]};

function validate55(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate55.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate55.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data === "red") || (data === "green"))){
validate55.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema22.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate55.errors = vErrors;
return errors === 0;
}
validate55.evaluated = {"dynamicProps":false,"dynamicItems":false};

const func1 = module1.default;

function validate54(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate54.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.thingId === undefined) && (missing0 = "thingId")) || ((data.colour === undefined) && (missing0 = "colour"))) || ((data.madeAt === undefined) && (missing0 = "madeAt"))){
validate54.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.thingId !== undefined){
let data0 = data.thingId;
const _errs1 = errors;
if(errors === _errs1){
if(errors === _errs1){
if(typeof data0 === "string"){
if(!(formats0.test(data0))){
validate54.errors = [{instancePath:instancePath+"/thingId",schemaPath:"#/properties/thingId/format",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""}];
return false;
}
}
else {
validate54.errors = [{instancePath:instancePath+"/thingId",schemaPath:"#/properties/thingId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.colour !== undefined){
const _errs3 = errors;
if(!(validate55(data.colour, {instancePath:instancePath+"/colour",parentData:data,parentDataProperty:"colour",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate55.errors : vErrors.concat(validate55.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.madeAt !== undefined){
let data2 = data.madeAt;
const _errs4 = errors;
if(errors === _errs4){
if(errors === _errs4){
if(typeof data2 === "string"){
if(!(formats2.validate(data2))){
validate54.errors = [{instancePath:instancePath+"/madeAt",schemaPath:"#/properties/madeAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate54.errors = [{instancePath:instancePath+"/madeAt",schemaPath:"#/properties/madeAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.example !== undefined){
let data3 = data.example;
const _errs6 = errors;
if((typeof data3 !== "string") && (data3 !== null)){
validate54.errors = [{instancePath:instancePath+"/example",schemaPath:"#/properties/example/type",keyword:"type",params:{type: schema21.properties.example.type},message:"must be string,null"}];
return false;
}
if(errors === _errs6){
if(typeof data3 === "string"){
if(func1(data3) > 5){
validate54.errors = [{instancePath:instancePath+"/example",schemaPath:"#/properties/example/maxLength",keyword:"maxLength",params:{limit: 5},message:"must NOT have more than 5 characters"}];
return false;
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate54.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate54.errors = vErrors;
return errors === 0;
}
validate54.evaluated = {"props":{"thingId":true,"colour":true,"madeAt":true,"example":true},"dynamicProps":false,"dynamicItems":false};

function validate52(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_listThings_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate52.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(!(validate54(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
else {
validate52.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate52.errors = vErrors;
return errors === 0;
}
validate52.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

const check_listThings_400_application_json = validate58;
const schema23 = {"$id":"check_listThings_400_application_json","$ref":"document#/components/schemas/DbrError"};
const schema24 = {"type":"object","required":["code","message","details","hint"],"properties":{"code":{"$ref":"document#/components/schemas/DbrErrorCode"},"message":{"type":"string"},"details":{"type":["string","null"]},"hint":{"type":["string","null"]}}};
const schema25 = {"type":"string","enum":["DBR100","DBR101"]};

function validate60(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate60.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate60.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data === "DBR100") || (data === "DBR101"))){
validate60.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema25.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate60.errors = vErrors;
return errors === 0;
}
validate60.evaluated = {"dynamicProps":false,"dynamicItems":false};

function validate59(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate59.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.code === undefined) && (missing0 = "code")) || ((data.message === undefined) && (missing0 = "message"))) || ((data.details === undefined) && (missing0 = "details"))) || ((data.hint === undefined) && (missing0 = "hint"))){
validate59.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.code !== undefined){
const _errs1 = errors;
if(!(validate60(data.code, {instancePath:instancePath+"/code",parentData:data,parentDataProperty:"code",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
const _errs2 = errors;
if(typeof data.message !== "string"){
validate59.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.details !== undefined){
let data2 = data.details;
const _errs4 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate59.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/type",keyword:"type",params:{type: schema24.properties.details.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.hint !== undefined){
let data3 = data.hint;
const _errs6 = errors;
if((typeof data3 !== "string") && (data3 !== null)){
validate59.errors = [{instancePath:instancePath+"/hint",schemaPath:"#/properties/hint/type",keyword:"type",params:{type: schema24.properties.hint.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate59.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate59.errors = vErrors;
return errors === 0;
}
validate59.evaluated = {"props":{"code":true,"message":true,"details":true,"hint":true},"dynamicProps":false,"dynamicItems":false};

function validate58(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_listThings_400_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate58.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate59(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
validate58.errors = vErrors;
return errors === 0;
}
validate58.evaluated = {"props":{"code":true,"message":true,"details":true,"hint":true},"dynamicProps":false,"dynamicItems":false};

const check_createThing_201_application_json = validate63;
const schema26 = {"$id":"check_createThing_201_application_json","$ref":"document#/components/schemas/Thing"};

function validate64(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate64.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.thingId === undefined) && (missing0 = "thingId")) || ((data.colour === undefined) && (missing0 = "colour"))) || ((data.madeAt === undefined) && (missing0 = "madeAt"))){
validate64.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.thingId !== undefined){
let data0 = data.thingId;
const _errs1 = errors;
if(errors === _errs1){
if(errors === _errs1){
if(typeof data0 === "string"){
if(!(formats0.test(data0))){
validate64.errors = [{instancePath:instancePath+"/thingId",schemaPath:"#/properties/thingId/format",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""}];
return false;
}
}
else {
validate64.errors = [{instancePath:instancePath+"/thingId",schemaPath:"#/properties/thingId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.colour !== undefined){
const _errs3 = errors;
if(!(validate55(data.colour, {instancePath:instancePath+"/colour",parentData:data,parentDataProperty:"colour",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate55.errors : vErrors.concat(validate55.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.madeAt !== undefined){
let data2 = data.madeAt;
const _errs4 = errors;
if(errors === _errs4){
if(errors === _errs4){
if(typeof data2 === "string"){
if(!(formats2.validate(data2))){
validate64.errors = [{instancePath:instancePath+"/madeAt",schemaPath:"#/properties/madeAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate64.errors = [{instancePath:instancePath+"/madeAt",schemaPath:"#/properties/madeAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.example !== undefined){
let data3 = data.example;
const _errs6 = errors;
if((typeof data3 !== "string") && (data3 !== null)){
validate64.errors = [{instancePath:instancePath+"/example",schemaPath:"#/properties/example/type",keyword:"type",params:{type: schema21.properties.example.type},message:"must be string,null"}];
return false;
}
if(errors === _errs6){
if(typeof data3 === "string"){
if(func1(data3) > 5){
validate64.errors = [{instancePath:instancePath+"/example",schemaPath:"#/properties/example/maxLength",keyword:"maxLength",params:{limit: 5},message:"must NOT have more than 5 characters"}];
return false;
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate64.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate64.errors = vErrors;
return errors === 0;
}
validate64.evaluated = {"props":{"thingId":true,"colour":true,"madeAt":true,"example":true},"dynamicProps":false,"dynamicItems":false};

function validate63(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_createThing_201_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate63.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate64(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate64.errors : vErrors.concat(validate64.errors);
errors = vErrors.length;
}
validate63.errors = vErrors;
return errors === 0;
}
validate63.evaluated = {"props":{"thingId":true,"colour":true,"madeAt":true,"example":true},"dynamicProps":false,"dynamicItems":false};

const check_readRows_200_application_json = validate67;
const schema28 = {"$id":"check_readRows_200_application_json","type":"array","items":{}};

function validate67(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_readRows_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate67.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(!(Array.isArray(data))){
validate67.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate67.errors = vErrors;
return errors === 0;
}
validate67.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

/** Checks the JSON body of a response, by operation, status and media type. */
export const responseChecks: Readonly<Record<string, Record<string, Record<string, Check>>>> = {
  listThings: {
    '200': {
      'application/json': check_listThings_200_application_json,
    },
    '400': {
      'application/json': check_listThings_400_application_json,
    },
  },
  createThing: {
    '201': {
      'application/json': check_createThing_201_application_json,
    },
    '400': {
      'application/json': check_listThings_400_application_json,
    },
  },
  deleteThing: {
    '404': {
      'application/json': check_listThings_400_application_json,
    },
  },
  readRows: {
    '200': {
      'application/json': check_readRows_200_application_json,
    },
  },
};
